"""`FakeTensorMode`: inside of it no kernel runs, the fake functions of ops do."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, TRUE, Obj, Value

MODE = "torch._subclasses.fake_tensor.FakeTensorMode"
_ON = "torch", "#fake_mode"


@function(MODE, "torch._subclasses.FakeTensorMode")
def _make(m: Machine, call: Call) -> Value:
    return opaque(m, MODE)


@context(MODE)
def _inside(m: Machine, node: nodes.Node, mode: Obj, body: Callable[[Value], None]) -> None:
    before = m.read(*_ON) or FALSE
    m.store.write(*_ON, TRUE)
    try:
        body(mode)
    finally:
        m.store.write(*_ON, before)


def is_on(m: Machine) -> bool:
    """Whether what runs now may run with fake tensors."""
    return (m.read(*_ON) or FALSE) != FALSE
