"""The transforms of `torch.func`: functions that call the function they are given, on tensors of their own."""

from __future__ import annotations

from aoti_lint.language import calls
from aoti_lint.language.tools import holding
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Const, Partial, Ref, Value

CELL = ("torch", "differentiated by")
"""Holds the transform that differentiates what runs now: by its name."""
_LATER = ("grad", "grad_and_value", "jacrev", "hessian")
"""Transforms that give a function."""


def around(m: Machine) -> str:
    """The transform that differentiates, backward, what runs now; empty where none does."""
    held = m.read(*CELL)
    return held.value if isinstance(held, Const) and isinstance(held.value, str) else ""


def _transform(name: str) -> None:
    @function(f"torch.func.{name}", f"functorch.{name}")
    def model(m: Machine, call: Call) -> Value:
        return Partial(Ref("#differentiated"), (Const(f"torch.func.{name}"), call.arg(0, "func") or NONE), ())


for _name in _LATER:
    _transform(_name)


@function("#differentiated")
def _called(m: Machine, call: Call) -> Value:
    transform, func, *given = call.args
    return _run(m, call, transform, func, given)


@function("torch.func.vjp", "functorch.vjp")
def _vjp(m: Machine, call: Call) -> Value:
    return _run(m, call, Const("torch.func.vjp"), call.arg(0, "func") or NONE, call.args[1:])


def _run(m: Machine, call: Call, transform: Value, func: Value, given: list[Value]) -> Value:
    """Call the function; what a transform gives is not followed."""
    with holding(m, CELL, transform):
        calls.call(m, Call(call.node, given, call.kwargs, open=call.open), func)
    return m.unknown(call.node, "what a transform of torch.func gives")
