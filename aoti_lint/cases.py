"""Findings about one value of several that may be used at a place: what holds for each of these holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Confidence
from aoti_lint.interp.meter import METER

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Case, Diagnostic
    from aoti_lint.interp.conditions import Cond


def settled(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of a rule; those that hold for every value that may be used at a place are as sure as without it."""
    groups: dict[object, list[tuple[Diagnostic, Case]]] = defaultdict(list)
    for one in found:
        if one.case is not None:
            groups[one.span, one.case.call].append((one, one.case))
    for group in groups.values():
        if len(group) > 1 and _exhaust([case.answers for _, case in group]):
            for one, case in group:
                one.severity, one.confidence = case.severity, case.confidence
    return found


def surest(found: Iterable[tuple[Hashable, Diagnostic]]) -> Iterator[Diagnostic]:
    """The surest of the findings that have the same key and place, after what holds for every value is settled."""
    groups: dict[object, list[Diagnostic]] = defaultdict(list)
    for key, one in found:
        groups[one.span, key].append(one)
    order = list(Confidence)
    for group in groups.values():
        yield min(settled(group), key=lambda one: order.index(one.confidence))


def _exhaust(cases: Sequence[Mapping[Cond, bool]]) -> bool:
    """Whether one of the cases holds, whatever the answers are."""
    METER.spend(len(cases))
    if not cases or not all(cases):
        return bool(cases)
    cond = next(iter(cases[0]))
    return all(
        _exhaust([{c: a for c, a in case.items() if c != cond} for case in cases if case.get(cond, answer) is answer])
        for answer in (True, False)
    )
