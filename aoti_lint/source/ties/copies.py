"""Which of the files to report are copies: one text in several folders, of which the same is to be said.

A tree of rendered documentation has the scripts of each release, most of them unchanged. Two files are copies of each
other if they have the same name and content, are judged alike, and if all that they use, all that uses them and all
that goes with them is the same or a copy itself: the modules that are imported, the scripts that are started, the
settings that are named, and what names the same artefacts or operators in their folders. One of them is analysed; of
the others those that something uses that is analysed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from aoti_lint.source.project import Project
from aoti_lint.source.ties.ties import Ties


def copies(project: Project, alike: Callable[[str], Hashable]) -> dict[str, list[str]]:
    """By each file that is to be analysed for others as well: its copies, which need not be, sorted.

    Two files can be copies only if `alike` gives the same for both.
    """
    by_content: dict[Hashable, list[str]] = {}
    for path in project.reported:
        by_content.setdefault((path.rpartition("/")[2], project.glance(path)), []).append(path)
    candidates = [path for group in by_content.values() if len(group) > 1 for path in group]
    if not candidates:
        return {}
    uses = _Uses(project)
    kinds = _kinds(uses, candidates, alike)
    first: dict[int, str] = {}
    for path in sorted(candidates, key=lambda path: (path.count("/"), path)):
        first.setdefault(kinds[path], path)
    left_out = {path for path in candidates if first[kinds[path]] != path}
    left_out -= uses.reached({*project.reported, *project.settings} - left_out)
    found: dict[str, list[str]] = {}
    for path in sorted(left_out):
        found.setdefault(first[kinds[path]], []).append(path)
    return found


class _Uses:
    """What files use of the project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._ties = Ties(project, [*project.all_files, *project.settings])
        self._used: dict[str, tuple[str, ...]] = {}
        self._together: dict[tuple[str, str], list[str]] = {}
        for path in project.reported:
            for key in self._names(path):
                self._together.setdefault(key, []).append(path)

    def by(self, path: str) -> tuple[str, ...]:
        """The files that a file uses directly."""
        if path not in self._used:
            self._used[path] = tuple(dict.fromkeys(self._ties.files(path)))
        return self._used[path]

    def texts(self, path: str) -> list[str | None]:
        """Hashes of what the file and the settings that it names hold."""
        return [*map(self._project.content, (path, *self._ties.settings_of(path)))]

    def reached(self, paths: Iterable[str]) -> set[str]:
        """The files that these use, directly or through others."""
        found, todo = set[str](), [*paths]
        while todo:
            more = {*self.by(todo.pop())} - found
            found |= more
            todo += more
        return found

    def every(self) -> list[str]:
        """The files to report, those that set variables, and all that they use."""
        named = {*self._project.reported, *self._project.settings}
        return sorted(named | self.reached(named))

    def beside(self, path: str) -> set[str]:
        """The files to report in the folder of a file that name the same artefacts or operators."""
        return {other for key in self._names(path) for other in self._together.get(key, ())}

    def _names(self, path: str) -> set[tuple[str, str]]:
        folder = path.rpartition("/")[0]
        return {(folder, word) for word in self._ties.words(path)}


def _kinds(uses: _Uses, candidates: list[str], alike: Callable[[str], Hashable]) -> dict[str, int]:
    """A number for each candidate, and all that it uses: the same for copies.

    At first that is what is the same of the files alone; then they are told apart by the numbers of what they use, of
    what uses them and of what goes with them, until there are no more differences.
    """
    around = {path: uses.beside(path) for path in candidates}
    every = uses.every()
    users: dict[str, set[str]] = {}
    for path in every:
        for used in uses.by(path):
            users.setdefault(used, set()).add(path)
    own: list[Hashable] = [(path.rpartition("/")[2], *uses.texts(path), alike(path)) for path in every]
    kinds = _numbered(every, own)
    while True:
        seen: list[Hashable] = [
            (
                kinds[path],
                tuple(kinds[used] for used in uses.by(path)),
                frozenset(kinds[user] for user in users.get(path, ())),
                tuple(sorted(kinds[other] for other in around.get(path, ()))),
            )
            for path in every
        ]
        finer = _numbered(every, seen)
        if len({*finer.values()}) == len({*kinds.values()}):
            return kinds
        kinds = finer


def _numbered(paths: list[str], what: list[Hashable]) -> dict[str, int]:
    numbers: dict[Hashable, int] = {}
    return {path: numbers.setdefault(one, len(numbers)) for path, one in zip(paths, what, strict=True)}
