"""The files of a project that may have to do with those somebody named.

A finding has several ends: what exports and what calls, what registers an op and what uses it. So that it is told at
whichever end one looks, files that are tied to the named ones are analysed with them. They are the same whatever was
checked before, as they are found in what stands in the files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import islice

from aoti_lint.files.cache import content_hash
from aoti_lint.source.project import Project
from aoti_lint.source.ties.naming import ALL
from aoti_lint.source.ties.ties import Ties, names_of

SMALL = 60
"""So many files are analysed with the named ones if no more are tied to them, be it through many others."""
MOST = 60
"""Of more, so many: the nearest."""
FAR = 6
"""How far these may be; to what names a file, and to what shares a name with it, it is 2, to what it names it is 3."""
UP, BESIDE, DOWN = 2, 2, 3
_PACKAGE = "__init__.py"
FEW = 10
"""Files that use the same one may hang together through it, if they are no more than so many."""


def neighbours(project: Project) -> list[str]:
    """Those of the other files of a project that are analysed with the named ones, of those that matter, sorted."""
    named = sorted({*project.all_files, *project.settings})

    @cache
    def make() -> tuple[list[str], list[str]]:
        around = _Around(project, named, project.others)
        tied = list(islice(filter(project.may_matter, around.all_tied()), SMALL + 1))
        found = tied if len(tied) <= SMALL else islice(filter(project.may_matter, around.near()), MOST)
        return sorted(found), sorted(around.ties.settings)

    # What decides, but for what the settings hold that the scripts name.
    asked = [(path, project.ties(path), project.symbols(path)) for path in named]
    others = repr([(path, project.glance(path)) for path in project.others]).encode("utf-8", "surrogatepass")
    key = "beside", project.name, repr(asked), content_hash(others)
    settings = project.once_for(("settings", *key), lambda: make()[1])
    return project.once_for((*key, repr([*map(project.glance, settings)])), lambda: make()[0])


_Step = tuple[int, int, str, bool, tuple[str, ...]]
"""How far a file is, how many folders lie between, its path, whether it is used by the last one, and the names of it
that matter."""


class _Around:
    """What is tied to the named files."""

    def __init__(self, project: Project, named: Sequence[str], others: Sequence[str]) -> None:
        self._project, self._named, self._wanted = project, named, set(others)
        self._of_folder = {path.rpartition("/")[0]: path for path in named}
        self._between: dict[str, int] = {}
        paths = sorted({*named, *others})
        self.ties, self._top = Ties(project, paths), project.name
        self._speaking = _by_word(paths, self.ties.called)
        self._sharing = _by_word(paths, self.ties.words)

    def all_tied(self) -> Iterator[str]:
        """All that is tied to the named files, directly or through others."""
        done, todo, words = {*self._named}, [*self._named], set[str]()
        while todo:
            path = todo.pop()
            if path in self._wanted:
                yield path
            more = {*self.ties.files(path), *self._users(path), *self._sharers(path, words)} - done
            done |= more
            todo += sorted(more)

    def near(self) -> Iterator[str]:
        """What is near to the named files, the nearest first.

        What these use is followed in any case. Through it, only what names the same as it does and the few others that
        use it may have to do with them. A package hands on the names that it has of another file.
        """
        done, words = dict[tuple[str, bool], set[str]](), set[str]()
        todo: list[_Step] = [(0, 0, path, False, (ALL,)) for path in self._named]
        while todo:
            far, _, path, is_used, names = heappop(todo)
            if is_used and (path, False) in done:
                continue
            known = done.setdefault((path, is_used), set())
            if path in self._wanted and not is_used and not known:
                yield path
            if known.issuperset(names):
                continue
            known.update(names)
            users = self._users(path)
            steps = [(UP, other, False, self._handed_on(path, names, other, taken)) for other, taken in users.items()
                     if not is_used or len(users) <= FEW]  # fmt: skip
            steps += [(BESIDE, other, False, {ALL}) for other in self._sharers(path, words)]
            steps += [(DOWN, other, True, {ALL}) for other in (() if is_used else {*self.ties.files(path)})]
            for cost, other, used, visible in steps:
                if far + cost <= FAR and visible:
                    heappush(todo, (far + cost, self._apart(other), other, used, tuple(sorted(visible))))

    def _apart(self, path: str) -> int:
        """How many folders lie between a file and the nearest of the named ones."""
        folder = path.rpartition("/")[0]
        if folder not in self._between:
            self._between[folder] = min(distance(path, one) for one in self._of_folder.values())
        return self._between[folder]

    def _users(self, path: str) -> dict[str, frozenset[str]]:
        """The files that use a file, with the names that they have out of it."""
        found: dict[str, frozenset[str]] = {}
        for word in names_of(path, self._top):
            # Without a name, that is as `from . import`, of what is around them.
            around = "" if word else path.removesuffix(_PACKAGE)
            for other in self._speaking.get(word, ()):
                taken = self.ties.uses(other, path, word) if other.startswith(around) else None
                if taken is not None and other != path:
                    found[other] = found.get(other, frozenset()) | taken
        return found

    def _handed_on(self, path: str, names: Collection[str], user: str, taken: Collection[str]) -> set[str]:
        """The names by which those that use a user of `path` have to do with what matters of it: these `names`.

        None at all where the user has nothing to do with that.
        """
        if ALL in taken and ALL not in names and not self._project.speaks_of(user, names):
            taken = ()
        used = {*taken} if ALL in names else {*names} if ALL in taken else {*names}.intersection(taken)
        if not used:
            return set()
        return used if user.endswith(_PACKAGE) else {ALL}

    def _sharers(self, path: str, words: set[str]) -> Iterator[str]:
        """The files that name an artefact or a namespace of operators that a file names, but for those in `words`."""
        for word in self.ties.words(path):
            if word not in words:
                words.add(word)
                yield from self._sharing.get(word, ())


def _by_word(paths: Iterable[str], words_of: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        for word in words_of(path):
            found.setdefault(word, []).append(path)
    return found


def distance(first: str, second: str) -> int:
    """How many folders lie between two files."""
    a, b = first.split("/")[:-1], second.split("/")[:-1]
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return len(a) + len(b) - 2 * shared
