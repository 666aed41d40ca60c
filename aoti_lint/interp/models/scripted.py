"""TorchScript: `torch.jit.script`, `trace` and `load` give modules and functions that cannot be exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.interp.models import modules
from aoti_lint.interp.models.registry import Call, function
from aoti_lint.interp.operators import lift
from aoti_lint.interp.values import NONE, Bound, Func, Obj, Ref, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

MODULE, FUNCTION = "torch.jit.ScriptModule", "torch.jit.ScriptFunction"


@function("torch.jit.script", "torch.jit.trace", "torch.jit.freeze", "torch.jit.optimize_for_inference")
def _script(m: Machine, call: Call) -> Value:
    def apply(given: Value) -> Value:
        if modules.is_module(m, given):
            return _module(m, given)
        if isinstance(given, Func | Bound):
            return Obj(m.fresh(), "object", Ref(FUNCTION))
        return m.unknown(call.node, "what TorchScript made of a value that is not known")

    return lift(m, call.arg(0, "obj") or call.kwargs.get("func") or call.kwargs.get("mod") or NONE, apply)


@function("torch.jit.load")
def _load(m: Machine, call: Call) -> Value:
    return _module(m, None)


def _module(m: Machine, source: Value | None) -> Value:
    """A scripted module: of the module `source`, whose devices are its devices too, or out of a file."""
    made = Obj(m.fresh(), "module", Ref(MODULE))
    modules.start_module(m, made)
    if source is not None:
        m.store.write(made.ident, "#given0", source)
    else:
        m.store.write(made.ident, "#device", Unknown(f"u{m.fresh()}", "the device of a module out of a file"))
    return made
