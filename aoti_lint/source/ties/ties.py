"""Which files of a project are tied: one imports or starts the other, or both name the same thing.

That is an artefact, or a namespace of operators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.lazily.regex import regex
from aoti_lint.source.project import Project
from aoti_lint.source.ties.naming import ALL, parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TEST = regex(r"(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py")


class Ties:
    """The ties of the files of a project. What stands in files of settings that a file names, that file names, too."""

    def __init__(self, project: Project, paths: Iterable[str]) -> None:
        """`paths` are those among which scripts are looked for that a file names."""
        self._project = project
        self._told: dict[str, list[dict[str, list[Any]]]] = {}
        self._scripts: dict[str, list[str]] = {}
        self.settings: dict[str, None] = {}
        """The files of settings that were looked for, whether they are there or not."""
        for path in paths:
            self._scripts.setdefault(path.rpartition("/")[2], []).append(path)

    def words(self, path: str) -> list[str]:
        """The artefacts and the namespaces of operators that a file names."""
        return [word for told in self._of(path) for word in told["words"]]

    def called(self, path: str) -> frozenset[str]:
        """The words by one of which a file speaks of each that `files` gives for it; see `names_of`."""
        found = {part for module, level, name in self._imports(path) for part, _ in _steps(module, name, level)}
        return frozenset(found.union(parts_of(written)[-1] for told in self._of(path) for written in told["scripts"]))

    def files(self, path: str) -> Iterator[str]:
        """The files that a file may import or start, as far as it names them; some more than once."""
        yield from self._started(path, None)
        for module, level, given in self._imports(path):
            for _, dotted in _steps(module, given, level):
                target = self._project.resolve(dotted, level, path)
                if target is not None and target != path:
                    yield target

    def uses(self, path: str, other: str, word: str) -> frozenset[str] | None:
        """The names that a file has out of another one, of which it speaks by this word (see `names_of`).

        `ALL` is among them where it may have any. None where it does not use the file at all; where it only imports
        it for the sake of a module in it, there are no names.
        """
        names: set[str] = set()
        used = other in self._started(path, word)
        if used:
            names.add(ALL)
        for module, level, given in self._imports(path):
            for part, dotted in _steps(module, given, level):
                if part == word and self._project.resolve(dotted, level, path) == other:
                    used = True
                    if dotted == module and given is not None:
                        names.add(given)
                    elif dotted == _dotted(module, given):
                        names.add(ALL)
        return frozenset(names) if used else None

    def _started(self, path: str, word: str | None) -> Iterator[str]:
        """The scripts that a file may mean by their paths: one in its own folder, else all that end so."""
        for written in (written for told in self._of(path) for written in told["scripts"]):
            words = parts_of(written)
            if word in (None, words[-1]):
                meant = [one for one in self._scripts.get(words[-1], ()) if f"/{one}".endswith(f"/{'/'.join(words)}")]
                beside = "/".join([*path.split("/")[:-1], *words])
                yield from [beside] if beside in meant else meant

    def settings_of(self, path: str) -> list[str]:
        """The files of settings that a file names, be they beside it or at the root, whether there or not."""
        around = path.rpartition("/")[0]
        written = self._project.ties(path)["settings"]
        places = dict.fromkeys(one for name in written for one in (f"{around}/{name}".lstrip("/"), name))
        return [one for one in places if one != path]

    def _of(self, path: str) -> list[dict[str, list[Any]]]:
        """What the file names, and what its settings do."""
        if path not in self._told:
            places = self.settings_of(path)
            self.settings |= dict.fromkeys(places)
            own = self._project.ties(path)
            self._told[path] = [own, *(self._project.ties(one) for one in places if self._project.is_file(one))]
        return self._told[path]

    def _imports(self, path: str) -> Iterator[tuple[str, int, str | None]]:
        """What a file imports, as `named_in` says it."""
        for told in self._of(path):
            yield from map(tuple, told["imports"])
        if _TEST.fullmatch(path):
            # What pytest gives it.
            yield from (("conftest", level, ALL) for level in range(1, path.count("/") + 2))


def names_of(path: str, root: str) -> list[str]:
    """The words of which a file that speaks of this one uses one; `root` is the name of the project's folder."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0]
    if stem != "__init__":
        return [name, stem]
    return [name, folders[-1] if folders else root, ""]


def _dotted(module: str, name: str | None) -> str:
    """The module that is imported, be it the name out of another one."""
    return module if name in (None, ALL) else f"{module}.{name}" if module else str(name)


def _steps(module: str, name: str | None, level: int) -> Iterator[tuple[str, str]]:
    """The modules that an import runs one in the other, each with its own name and its dotted one."""
    if not module:
        yield "", ""
    parts = _dotted(module, name).split(".")
    for end, part in enumerate(parts, 1) if parts[0] != "torch" or level else ():
        yield part, ".".join(parts[:end])
