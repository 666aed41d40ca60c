"""The calls of custom ops that a compiler sees, and the ops that are taken apart before it does."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.rule import Facts, catches
from aoti_lint.rule.events import OpCall, OpImpl
from aoti_lint.rule.ops import base_name, op_key
from aoti_lint.rule.values import Const, Value

from ._schemas import op_calls

_TAKEN_APART = ("CompositeImplicitAutograd", "Functionalize")
"""Kernels under these keys take the op apart before a compiler asks for its outputs and arguments."""


def taken_apart(facts: Facts) -> Callable[[str], bool]:
    """Whether an op is taken apart: by a kernel under a key that does so, or under one that is not known."""
    ops = {op_key(one.op) for one in facts.of(OpImpl) if _takes_apart(one)}
    everything = any("?" in op.split("::") for op in ops)
    return lambda op: everything or op in ops


def compiled_calls(facts: Facts, by: Callable[[Value], bool]) -> dict[str, list[OpCall]]:
    """The calls of each op in code that `torch.compile` compiles with a backend that `by` takes, nothing caught."""
    found: dict[str, list[OpCall]] = {}
    for call in op_calls(facts):
        if any(by(one.option("backend")) for one in call.within) and not catches(
            call.caught | call.expected, "RuntimeError", "BackendCompilerFailed"
        ):
            found.setdefault(base_name(call.op), []).append(call)
    return found


def _takes_apart(event: OpImpl) -> bool:
    return not event.is_fake and any(not isinstance(key, Const) or key.value in _TAKEN_APART for key in event.keys)
