"""The calls of custom ops that a compiler sees, and the ops that are taken apart before it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

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


def faked_ops(facts: Facts) -> set[str]:
    """The ops that surely have a fake of their own, or a kernel for Meta, which serves as one."""
    return {op_key(one.op) for one in facts.of(OpImpl) if one.is_fake or Const("Meta") in one.keys}


def compiled_calls(facts: Facts) -> Mapping[str, Sequence[OpCall]]:
    """The calls of each op in code that `torch.compile` compiles, where nothing catches what that raises."""
    return facts.once("compiled calls of ops", partial(_compiled_calls, facts))


def compiled_by(call: OpCall, takes: Callable[[Value], bool]) -> bool:
    """Whether one of the compilers of a call has such a backend."""
    return any(takes(one.option("backend")) for one in call.within)


def _compiled_calls(facts: Facts) -> dict[str, list[OpCall]]:
    found: dict[str, list[OpCall]] = {}
    for call in op_calls(facts):
        if call.within and not catches(call.caught | call.expected, "RuntimeError", "BackendCompilerFailed"):
            found.setdefault(base_name(call.op), []).append(call)
    return found


def _takes_apart(event: OpImpl) -> bool:
    return not event.is_fake and any(not isinstance(key, Const) or key.value in _TAKEN_APART for key in event.keys)
