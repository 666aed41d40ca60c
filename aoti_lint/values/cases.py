"""Findings about one value of several that may be used at a place: what holds for each of these holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Confidence
from aoti_lint.values.meter import METER

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Case, Diagnostic
    from aoti_lint.values.conditions import Cond


_ORDER = list(Confidence)


def settled(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of a rule; those that hold for every value that may be used at a place are as sure as without it.

    They are as sure as the least sure of those that it takes to have a finding for every value.
    """
    groups: dict[object, list[tuple[Diagnostic, Case]]] = defaultdict(list)
    for one in found:
        if one.case is not None:
            groups[one.span, one.case.call].append((one, one.case))
    for group in groups.values():
        for least in (Confidence.CERTAIN, Confidence.LIKELY):
            sure = [(one, case) for one, case in group if _ORDER.index(case.confidence) <= _ORDER.index(least)]
            if len(sure) > 1 and _exhaust([case.answers for _, case in sure]):
                for one, case in sure:
                    one.severity, one.confidence = case.severity, least
                break
    return found


def surest(found: Iterable[tuple[Hashable, Diagnostic]]) -> Iterator[Diagnostic]:
    """The surest of the findings that have the same key and place, after what holds for every value is settled."""
    groups: dict[object, list[Diagnostic]] = defaultdict(list)
    for key, one in found:
        groups[one.span, key].append(one)
    for group in groups.values():
        yield min(settled(group), key=lambda one: _ORDER.index(one.confidence))


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
