"""What is assumed on a path, with what follows from that for the questions that one of several answers joins."""

from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.conditions import Cond, Path, common, decide, subject_of
from aoti_lint.values.values import TRUE, Choice, Value


@dataclass(frozen=True, slots=True)
class Joined:
    """What a question that joins others is true for: a choice of truths, by the answers to the others.

    `asked` are the others, `subjects` the values that those of them are about which follow from answers to others.
    """

    truth: Value
    asked: frozenset[Cond]
    subjects: frozenset[object]


def joined(truth: Value) -> Joined:
    """Takes a choice of truths."""
    asked: set[Cond] = set()
    todo = [truth]
    while todo:
        one = todo.pop()
        if isinstance(one, Choice):
            asked.add(one.cond)
            todo += [one.then, one.other]
    return Joined(truth, frozenset(asked), _subjects(asked))


def _subjects(conds: Iterable[Cond]) -> frozenset[object]:
    return frozenset(s for s in map(subject_of, conds) if s is not None)


def closed(path: dict[Cond, bool], before: Path) -> dict[Cond, bool]:
    """`path` with what follows from it.

    `before` is a part of it that has all that follows from itself: only questions that the rest bears on are looked at.
    """
    new = path.keys() - before.keys()
    while new:
        subjects = _subjects(new)
        follow: dict[Cond, bool] = {}
        for cond, answer in path.items():
            joins = cond.joined
            if isinstance(joins, Joined) and (
                cond in new or not joins.asked.isdisjoint(new) or not joins.subjects.isdisjoint(subjects)
            ):
                known = {**path, **follow} if follow else path
                found = _on_all_ways(joins.truth, known, answer) or {}
                follow.update((c, yes) for c, yes in found.items() if c not in known)
        path = {**path, **follow} if follow else path
        new = set(follow)
    return path


def holds(path: Path) -> bool:
    """Whether no answer to a question that joins others contradicts the answers to these."""
    return all(
        _on_all_ways(cond.joined.truth, path, answer) is not None
        for cond, answer in path.items()
        if isinstance(cond.joined, Joined)
    )


def _on_all_ways(truth: Value, path: Path, answer: bool) -> dict[Cond, bool] | None:
    """The answers common to all ways on which `truth` is `answer` where `path` holds; None where there is none."""
    if not isinstance(truth, Choice):
        return {} if (truth == TRUE) == answer else None
    cond = truth.cond
    known = decide(cond, path)
    then, other = (
        _on_all_ways(arm, path if known is not None else {**path, cond: yes}, answer) if known in (None, yes) else None
        for yes, arm in ((True, truth.then), (False, truth.other))
    )
    if then is None:
        return None if other is None else {cond: False, **other}
    if other is None:
        return {cond: True, **then}
    return common([then, other])
