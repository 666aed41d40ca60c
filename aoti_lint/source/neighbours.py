"""The files of a project that may have to do with those somebody named, the nearest first.

A finding has several ends: what exports and what calls, what registers an op and what uses it. So that it is told at
whichever end one looks, the files tied to the named ones are analysed with them: all of them in a small project, the
nearest in a large one. They are the same whatever was checked before, as they are found in what stands in the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from aoti_lint.source.project import Project
from aoti_lint.source.ties import Ties, names_of

UP, BESIDE, DOWN = 2, 2, 3
"""How far it is to what names a file, to what names the same thing, and to what a file names.

What a file uses is followed in any case; from there lead ties to all that uses the same.
"""


def nearest(project: Project, named: Iterable[str], others: Sequence[str]) -> Iterator[str]:
    """Of the files `others`, those that are tied to the `named` ones, be it through third ones; the nearest first."""
    start = sorted(named)
    paths = sorted({*start, *others})
    ties = Ties(project, paths)
    speaking: dict[str, list[str]] = {}
    for path in paths:
        for word in ties.called(path):
            speaking.setdefault(word, []).append(path)
    sharing: dict[str, list[str]] = {}
    for path in paths:
        for word in ties.words(path):
            sharing.setdefault(word, []).append(path)
    used: dict[str, frozenset[str]] = {}

    def uses(path: str) -> frozenset[str]:
        if path not in used:
            used[path] = frozenset(ties.files(path))
        return used[path]

    done: set[str] = set()
    wanted = set(others).difference(start)
    todo = [(0, 0, path) for path in start]
    while todo:
        far, _, path = heappop(todo)
        if path in done:
            continue
        done.add(path)
        if path in wanted:
            yield path
        steps = [(DOWN, other) for other in sorted(uses(path))]
        steps += [(UP, other) for name in names_of(path) for other in speaking.get(name, ()) if path in uses(other)]
        steps += [(BESIDE, other) for word in ties.words(path) for other in sharing.get(word, ())]
        for cost, other in steps:
            if other not in done:
                heappush(todo, (far + cost, min(distance(other, one) for one in start), other))


def distance(first: str, second: str) -> int:
    """How many folders lie between two files."""
    a, b = first.split("/")[:-1], second.split("/")[:-1]
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return len(a) + len(b) - 2 * shared
