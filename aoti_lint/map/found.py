"""At which step a finding is, or between which two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aoti_lint.called import CALLED
from aoti_lint.diagnostics import Diagnostic, Span
from aoti_lint.map.steps import RANKS, Step


def place(steps: Sequence[Step], findings: Iterable[Diagnostic]) -> None:
    """Put each finding where it belongs, if there is such a place.

    A finding has its place and others. Where one of them is a step that leads to the step of another one, it is at the
    last arrow of that way: what comes out of it does not fit what takes it. Else it is at the step itself.
    """
    by_file: dict[str, list[tuple[Span, Step]]] = {}
    for step in steps:
        for span in () if step.span is None else (step.span, *step.also):
            by_file.setdefault(span.path, []).append((span, step))
    for one in findings:
        _place(one, by_file)


def _place(finding: Diagnostic, by_file: dict[str, list[tuple[Span, Step]]]) -> None:
    callers = {one.span for one in finding.related if one.message == CALLED}
    ends = [finding.span, *(one.span for one in finding.related if one.message != CALLED)]
    first, *others = [_at(span, by_file, callers) for span in ends]
    related = [step for steps in others for step in steps]
    if not first:
        # It is told in the middle of something, such as a forward, and says what that is part of.
        first, related = related[:1], related[1:]
    for step in first:
        arrows = {*_into(step, related)}
        for other in related:
            if step in before(other):
                arrows.update(_into(other, [step]))
        for start, end in arrows:
            end.between.setdefault(start, []).append(finding.fingerprint)
        if not arrows:
            step.findings.append(finding.fingerprint)


def _at(span: Span, by_file: dict[str, list[tuple[Span, Step]]], callers: set[Span]) -> list[Step]:
    """The steps at a place: those that begin nearest around it, and were got to by the same calls if any was."""
    around = [
        (one.end - one.start, step)
        for one, step in by_file.get(span.path, ())
        if one.start <= span.start and span.end <= one.end
    ]
    least = min((size for size, _ in around), default=0)
    found = list(dict.fromkeys(step for size, step in around if size == least))
    return [step for step in found if callers and callers <= step.chain] or found


def _into(step: Step, others: Sequence[Step]) -> Iterator[tuple[Step, Step]]:
    """The arrows into a step on the ways to it from one of the others."""
    for start in step.before:
        if any(other is start or other in before(start) for other in others):
            yield start, step


def before(step: Step) -> set[Step]:
    """All that a step uses what it gives, itself or through others."""
    found: set[Step] = set()
    todo = [step]
    while todo:
        new = todo.pop().before.keys() - found
        found |= new
        todo += new
    return found


def in_order(steps: Iterable[Step]) -> list[Step]:
    """Steps as a reader meets them: by their kinds, then by their places."""
    nowhere = Span("", 0, 0)
    kinds = [kind for row in RANKS for kind in row]
    return sorted(steps, key=lambda one: (kinds.index(one.kind), one.span or nowhere, one.title))
