"""`torch.….config.patch`: settings changed for a while."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.language.effects import settings
from aoti_lint.language.flow.with_statements import context
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, Const, Obj, Ref, Value

PATCH = Ref("torch config.patch")


def _patcher(module: str) -> None:
    @function(f"{module}.patch")
    def patch(m: Machine, call: Call) -> Value:
        """`patch(name=value)`, `patch("name", value)` or `patch({"name": value})`, as a context or a decorator."""
        made = Obj(m.fresh(), "object", PATCH)
        first = m.see(call.args[0]) if call.args else NONE
        changes = [(Const(k), v) for k, v in call.kwargs.items()] + list(containers.dict_pairs(m, first) or [])
        if isinstance(first, Const) and len(call.args) == 2:
            changes.append((first, call.args[1]))
        for key, value in changes:
            if isinstance(key, Const):
                settings.tell_patch(m, call, module, str(key.value), value)
                m.store.write(made.ident, f"{module}.{key.value}", value)
        return made


for _module in settings.MODULES:
    _patcher(_module)


@context(PATCH.name)
def _patched(m: Machine, node: nodes.Node, value: Obj, body: Callable[[Value], None]) -> None:
    changes = list(m.store.slots(value.ident))
    before = [(slot, m.store.read("external", slot) or FALSE) for slot, _ in changes]
    for slot, new in changes:
        m.store.write("external", slot, new)
    try:
        body(value)
    finally:
        for slot, old in before:
            m.store.write("external", slot, old)


@method(PATCH.name, "__call__")
def _decorate(m: Machine, call: Call, receiver: Value) -> Value:
    # The patch holds while the function runs; settings we ask for are set by `with` in practice.
    return call.arg(0) or NONE
