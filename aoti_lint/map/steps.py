"""What happens to the models of a project, one step an event, and which step gives another one what it uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from aoti_lint.coverage.words import Aspect, known
from aoti_lint.diagnostics import Span
from aoti_lint.map.model import Kind

RANKS: Final[tuple[tuple[Kind, ...], ...]] = (
    ("model", "op", "setting"), ("export",), ("save",), ("reload",), ("package",), ("bundle",), ("archive",),
    ("load", "host"), ("call",),
)  # fmt: skip
"""The kinds in the order in which a model passes them: arrows lead from a row to a later one."""
SHARED: Final = RANKS[0]
"""What flows use without hanging together for it."""


def rank(kind: Kind) -> int:
    """How far on the way of a model a kind of step is."""
    return next(number for number, kinds in enumerate(RANKS) if kind in kinds)


@dataclass(slots=True, eq=False)
class Step:
    """A step, at `span` and of what else stands at `also` (the functions of an operator); `chain` leads to it."""

    kind: Kind
    title: str
    span: Span | None
    details: Sequence[Aspect]
    chain: frozenset[Span] = frozenset()
    also: tuple[Span, ...] = ()
    starts: tuple[str, ...] = ()
    """What has to be started for it to happen."""
    before: dict[Step, bool] = field(default_factory=dict)
    """The steps that it uses what they give, each with whether that is sure."""
    findings: list[str] = field(default_factory=list)
    between: dict[Step, list[str]] = field(default_factory=dict)
    """What is found between one of these and it."""

    def uses(self, other: Step | None, sure: bool = True) -> None:
        """Draw an arrow from another step, if there is one, to this one."""
        if other is not None and rank(other.kind) < rank(self.kind):
            self.before[other] = self.before.get(other, False) or sure


def united(steps: Iterable[Step]) -> list[Step]:
    """The steps, as one those that say the same, at one place, of what the same steps give: a loop tells them often.

    Each comes after those that it uses.
    """
    made: dict[object, Step] = {}
    became: dict[Step, Step] = {}
    for step in sorted(steps, key=lambda one: rank(one.kind)):
        before = {became[one]: sure for one, sure in step.before.items()}
        key = (step.kind, step.title, step.span, tuple(step.details), frozenset(before.items()))
        one = made.setdefault(key, step)
        one.before = before
        one.chain |= step.chain
        one.also = tuple(dict.fromkeys((*one.also, *step.also)))
        one.starts = tuple(dict.fromkeys((*one.starts, *step.starts)))
        became[step] = one
    _told_apart(made.values())
    return list(made.values())


def _told_apart(steps: Iterable[Step]) -> None:
    """Have several steps of one kind at one place say by which start each is."""
    places: dict[object, list[Step]] = {}
    for step in steps:
        places.setdefault((step.kind, step.span), []).append(step)
    for same in places.values():
        if len({step.starts for step in same}) > 1:
            for step in same:
                step.details = [known("start", " or ".join(step.starts)), *step.details]
