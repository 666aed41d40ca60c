"""Where the program of an export is traced once more: to be decomposed, or compiled into a package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from aoti_lint.rule import Confidence, Facts, Span, catches
from aoti_lint.rule.events import CompileEvent, Event
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.values import Package, Program

from ..api._calls import DECOMPOSE, calls


class _Placed(Protocol):
    @property
    def span(self) -> Span: ...


T = TypeVar("T", bound=_Placed)


def traced_anew(
    facts: Facts, find: Callable[[Program], tuple[T, Confidence] | None]
) -> Iterator[tuple[Event, T, Confidence, str]]:
    """Where a program is traced anew of which `find` finds something, and nothing catches what that raises.

    With what it finds, how sure that is, and the words for what raises. Each is given once in a script, which does not
    go on behind it.
    """
    seen = set[tuple[str, Span]]()
    for event, found, sure in _all(facts, find):
        key = event.root, found.span
        if key not in seen and not catches(event.caught | event.expected, "RuntimeError"):
            seen.add(key)
            yield event, found, sure, "the compile" if isinstance(event, CompileEvent) else "this"


def _all(
    facts: Facts, find: Callable[[Program], tuple[T, Confidence] | None]
) -> Iterator[tuple[Event, T, Confidence]]:  # fmt: skip
    for call in calls(facts, DECOMPOSE):
        found = find(call.receiver) if isinstance(call.receiver, Program) else None
        if found is not None:
            yield call, *found
    for event in facts.of(CompileEvent):
        if isinstance(event.package, Package):
            candidates = programs_of(facts, event.package, event)
            each = [find(c.value) if isinstance(c.value, Program) else None for c in candidates]
            sure = overall(candidates, [None if one is None else one[1] for one in each], event)
            first = next((one for one in each if one is not None), None)
            if sure is not None and first is not None:
                yield event, first[0], sure
