"""Which of the named files a shard analyses: what may have to do with one another goes into the same shard.

Those are files that are tied, be it through third ones. So a shard finds in its files what one run over all of them
finds there, and no file is analysed twice; what hangs together as a whole, as a large package does, is one shard's
work. The split depends on the paths and contents of the files alone: every machine makes the same one of the same
checkout.
"""

from __future__ import annotations

from collections.abc import Collection

from aoti_lint.source.project import Project
from aoti_lint.source.ties.ties import Ties


def share(project: Project, others: Collection[str], number: int, count: int) -> frozenset[str]:
    """The named files of shard `number`, from 1, of `count`; `others` are named archives."""
    named = sorted({*project.all_files, *project.settings, *others})
    ties, together = Ties(project, named), _Groups()
    todo, seen, sizes = [*named], set(named), dict.fromkeys(named, 1)
    while todo:
        path = todo.pop()
        if path in others:
            together.join(path, f"\0file {path.rpartition('/')[2]}")
            continue
        if path in sizes:
            sizes[path] += len(project.data(path) or b"")
        for word in ties.words(path):
            together.join(path, f"\0{word}")
        for other in ties.files(path):
            together.join(path, other)
            if other not in seen:
                seen.add(other)
                todo.append(other)
    groups: dict[str, list[str]] = {}
    for path in named:
        groups.setdefault(together.of(path), []).append(path)
    weights, mine = [0] * count, set[str]()
    # The heaviest first, each to the shard that has least.
    for size, group in sorted(((sum(map(sizes.__getitem__, group)), group) for group in groups.values()), reverse=True):
        least = weights.index(min(weights))
        weights[least] += size
        if least == number - 1:
            mine.update(group)
    return frozenset(mine)


class _Groups:
    """Names that were joined, directly or through others."""

    def __init__(self) -> None:
        self._upper: dict[str, str] = {}

    def of(self, name: str) -> str:
        """One of those that this one is together with, the same for all of them."""
        while (upper := self._upper.setdefault(name, name)) != name:
            self._upper[name] = self._upper[upper]
            name = upper
        return name

    def join(self, one: str, other: str) -> None:
        """These two are together."""
        self._upper[self.of(one)] = self.of(other)
