"""What else an export meets where everything that the user chooses has its default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from aoti_lint.machine.defaults import Defaults
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Budget, Trace
from aoti_lint.values.meter import BudgetSpent
from aoti_lint.values.torch_values import Program

Followed: TypeAlias = "tuple[Program, dict[str, Any], Trace]"
"""The program an export gives, what it met as parts of an event, and what the run of its forward came by."""
STEPS = 6_000
"""Statements and calls that an export is followed for once more."""
_FOLLOWED = ("lost_in_forward", "unended")
"""Parts of an event that say how far the forward was followed."""
_OF_OPEN_SIZES = ("guards", "calls")
"""Parts that are about the open sizes of the same event."""


@contextmanager
def looking(m: Machine) -> Iterator[Defaults]:
    """Notes what is looked at meanwhile that the user chooses."""
    before = m.root.defaults
    m.root.defaults = before or Defaults(taken=False)
    try:
        yield m.root.defaults
    finally:
        m.root.defaults = before


def tell(
    m: Machine,
    met: Defaults,
    told: dict[str, Any],
    follow: Callable[[], Followed],
    emit: Callable[..., object],
) -> None:
    """Follow an export once more, where it `met` what the user chooses, and tell what `told` does not have.

    It is told as what happens where each of these has its default.
    """
    if not met.met or met.taken or m.root.muted:
        return
    taken = Defaults(taken=True)
    budget = Budget(STEPS, aside=m.root.budget.aside)
    with m.running(m.root.within(budget=budget, defaults=taken), m.demand.tried()):
        try:
            program, found, again = follow()
        except (BudgetSpent, RecursionError):
            return
    sizes, open_before = found.pop("open_sizes", ()), told.get("open_sizes", ())
    new = {
        name: part if (name in _OF_OPEN_SIZES and sizes != open_before) or _is_new(part, told.get(name, ())) else ()
        for name, part in found.items()
        if name not in _FOLLOWED
    }
    if again.told or any(new.values()):
        chosen, assumed = m.frame.chosen, taken.assumed()
        with m.assuming(assumed):
            chosen += assumed
            emit(program=program, open_sizes=sizes, **new)
            del chosen[len(chosen) - len(assumed) :]


def _is_new(part: tuple[object, ...], told: tuple[object, ...]) -> bool:
    return any(one not in told for one in part)
