"""`torch.compiler.set_stance`: what compiled functions do where they would have to compile, from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aoti_lint.ir import nodes
from aoti_lint.language.calls import STANCE
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.changes import named
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Const, Func, Obj, Value

SET = "torch.compiler.set_stance"


@function(SET)
def _set(m: Machine, call: Call) -> Value:
    """It holds at once; a `with` or a decorator takes it back."""
    made = opaque(m, SET)
    given = m.see(call.arg(0, "stance") or Const("default"))
    m.store.write(made.ident, "#given", given)
    m.store.write(made.ident, "#before", m.read(*STANCE) or NONE)
    m.store.write(*STANCE, given)
    return made


@context(SET)
def _within(m: Machine, node: nodes.Node, value: Obj, body: Callable[[Value], None]) -> None:
    body(NONE)
    m.store.write(*STANCE, slot(m, value, "#before"))


@method(SET, "__call__")
def _decorate(m: Machine, call: Call, receiver: Value) -> Value:
    func = m.see(call.arg(0, "fn") or NONE)
    if isinstance(receiver, Obj):
        m.store.write(*STANCE, slot(m, receiver, "#before"))
        if isinstance(func, Func):
            m.run_inside(func, _inside, slot(m, receiver, "#given"))
    return func


@named
@contextmanager
def _inside(m: Machine, stance: Value) -> Iterator[None]:
    before = m.read(*STANCE) or NONE
    m.store.write(*STANCE, stance)
    try:
        yield
    finally:
        m.store.write(*STANCE, before)
