"""What a script imports, directly or through files of the project: read from the text, so never less than it does."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import partial

from aoti_lint.rule import METER, Facts, dataclass
from aoti_lint.rule.events import Event
from aoti_lint.rule.project import Project, is_native

_LOADING = (
    "load_library", "import_module", "__import__", "CDLL", "run_path", "run_module", "entry_points", "cpp_extension",
)  # fmt: skip
"""What loads modules and libraries by other ways than an import."""
_DYNAMIC = rf"\b(?:{'|'.join(_LOADING)})\b"
_TEST = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py")
"""Names of the files that pytest collects, unless it is told other ones."""
_OF_MODULES = re.compile(
    r"from[ \t]+\.+[ \t]+import[ \t]+(?:\([^)]*\)|[^\n]*)|^[ \t]*import[ \t]+(?![^\n]*\bas\b)[^\n]*", re.MULTILINE
)
"""Imports that bind modules."""
_STAR = re.compile(r"import\s*\(?\s*\*")
_HARMLESS = {"torch", "numpy", "triton", "pytest", "tqdm", "yaml", "PIL", "aoti_lint"}


class Reach:
    """The files a script reaches."""

    def __init__(self, facts: Facts, path: str) -> None:
        self._facts, self._path = facts, path
        self.files: set[str] = set()

    @property
    def outside(self) -> set[str]:
        """The modules outside the project that the files import."""
        return self._facts.once(("outside", self._path), self._outside)

    def _outside(self) -> set[str]:
        return {name for one in self._beyond for name in one.outside}

    @property
    def dynamic(self) -> bool:
        """Whether something else may be loaded."""
        return self._facts.once(("dynamic", self._path), lambda: any(one.dynamic for one in self._beyond))

    def may_run(self, path: str) -> bool:
        """Whether the script may run this file of the project: it imports it, or a module of that name.

        Where no such module is found, Python may be told where it lies, by `sys.path` or `PYTHONPATH`.
        """
        return path in self.files or not self.outside.isdisjoint(path.removesuffix(".py").split("/"))

    @property
    def _beyond(self) -> Iterator[Beyond]:
        # Many scripts reach the same files.
        facts = self._facts
        return (facts.once(("beyond", path), partial(_beyond, facts, path)) for path in self.files)

    def mentions(self, pattern: str) -> bool:
        """Whether any of the files contains what the regular expression `pattern` finds."""
        facts = self._facts
        return any(facts.once(("text", path, pattern), partial(_says, facts, path, pattern)) for path in self.files)


def _says(facts: Facts, path: str, pattern: str) -> bool:
    source = facts.project.source(path)
    return source is not None and re.search(pattern, source.code) is not None


def reach(facts: Facts, path: str) -> Reach:
    """What the script at `path` imports; for tests also what the `conftest.py` files that pytest loads before do."""
    return facts.once(("reach", path), partial(_reach, facts, path))


def may_meet(facts: Facts, first: str, second: str) -> bool:
    """Whether one process may run both files: one imports the other, or a checked file imports both."""
    if first == second or first in reach(facts, second).files or second in reach(facts, first).files:
        return True
    above = [facts.once(("above", path), partial(_above, facts, path)) for path in (first, second)]
    return not above[0].isdisjoint(above[1])


def surely_meet(facts: Facts, first: str, second: str) -> tuple[str, str] | None:
    """Two files in the order in which a checked file runs both: its first lines of code import them, or it is one."""
    if first == second:
        return None
    by_name = facts.once("named by imports", partial(_named_by, facts.project))
    may_run = [{path, *by_name.get(_last_name(facts.project, path), ())} for path in (first, second)]
    for path in sorted(may_run[0] & may_run[1]):
        run = facts.once(("run by", path), partial(_run_by, facts, path))
        if first in run and second in run:
            return (first, second) if run.index(first) < run.index(second) else (second, first)
    return None


def _last_name(project: Project, path: str) -> str:
    """The last name in any import of a file."""
    return project.module_name(path).rpartition(".")[2]


def _named_by(project: Project) -> dict[str, set[str]]:
    """By the last names of what is imported: the checked files that surely do."""
    found: dict[str, set[str]] = {}
    for path in project.all_files:
        named = _named(project, path, surely=True) if path.endswith(".py") else []
        METER.spend(1 + len(named))
        for dotted, level in named:
            name = dotted.rpartition(".")[2]
            # Dots alone mean the package of who imports, or one above.
            if not name and (package := project.resolve(dotted, level, path)) is not None:
                name = _last_name(project, package)
            found.setdefault(name, set()).add(path)
    return found


def _run_by(facts: Facts, path: str) -> list[str]:
    """The files of the project that a file surely imports, in order, and the file itself after them."""
    named = _named(facts.project, path, surely=True)
    targets = (facts.project.resolve(dotted, level, path) for dotted, level in named)
    return [*dict.fromkeys(target for target in targets if target is not None), path]


def mentioned(facts: Facts, event: Event, *words: str) -> bool:
    """Whether code that may run in the process of an event holds one of the words; C++ may be part of any."""
    script = event.root.split("::")[0]
    files = (path for word in words for path in facts.project.mentions(word).files)
    return any(is_native(path) or path == event.span.path or may_meet(facts, path, script) for path in files)


def _above(facts: Facts, path: str) -> set[str]:
    """The checked files that import a file, directly or through others."""
    importers = facts.once("importers", partial(_importers, facts))
    found: set[str] = set()
    todo = [path]
    while todo:
        current = todo.pop()
        if current not in found:
            found.add(current)
            todo += importers.get(current, ())
    return found


def _importers(facts: Facts) -> dict[str, list[str]]:
    """The checked files that import each file."""
    project, found = facts.project, dict[str, list[str]]()
    for path in project.all_files:
        named = _named(project, path) if path.endswith(".py") else []
        METER.spend(1 + len(named))
        targets = (project.resolve(dotted, level, path) for dotted, level in named)
        for target in dict.fromkeys(targets):
            if target is not None:
                found.setdefault(target, []).append(path)
    return found


def in_its_process(facts: Facts, other: Event, event: Event) -> bool:
    """Whether what one event does may hold where another one happens."""
    root, path = (one.root.split("::")[0] for one in (other, event))
    return root == path or may_meet(facts, other.span.path, path)


def _reach(facts: Facts, path: str) -> Reach:
    found, todo = Reach(facts, path), [path, *_conftests(path)]
    while todo:
        current = todo.pop()
        if current in found.files:
            continue
        found.files.add(current)
        own = facts.once(("imports of", current), partial(_imports_of, facts, current))
        if own is None:
            continue
        todo += own
        folder = current.rpartition("/")[0]
        while folder and f"{folder}/__init__.py" not in found.files:
            if facts.project.imports(f"{folder}/__init__.py") is None:
                break
            todo.append(f"{folder}/__init__.py")
            folder = folder.rpartition("/")[0]
    return found


def _imports_of(facts: Facts, path: str) -> list[str] | None:
    """The files of the project that a file imports itself; None where it cannot be read."""
    if facts.project.imports(path) is None:
        return None
    targets = (facts.project.resolve(dotted, level, path) for dotted, level in _named(facts.project, path))
    return [target for target in targets if target is not None]


@dataclass(slots=True)
class Beyond:
    """The modules outside the project that a file imports, and whether it may load something else."""

    outside: set[str] = field(default_factory=set)
    dynamic: bool = False


def _beyond(facts: Facts, path: str) -> Beyond:
    found = Beyond(dynamic=facts.project.holds(path, *_LOADING) and _says(facts, path, _DYNAMIC))
    for dotted, level in _named(facts.project, path):
        if facts.project.resolve(dotted, level, path) is not None:
            continue
        if level or _inside(facts, dotted, path):
            found.dynamic = found.dynamic or _is_built(facts, dotted, level, path)
            continue
        top = dotted.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in _HARMLESS:
            found.outside.add(top)
    return found


def _conftests(path: str) -> list[str]:
    """The `conftest.py` files of a test's folder and of those above it, whether they are there or not."""
    folder, _, name = path.rpartition("/")
    if not _TEST.fullmatch(name):
        return []
    parts = folder.split("/") if folder else []
    return ["/".join([*parts[:count], "conftest.py"]) for count in range(len(parts), -1, -1)]


def _inside(facts: Facts, dotted: str, importer: str) -> bool:
    """Whether a name that is no module is one of a module of the project."""
    project, parent = facts.project, dotted.rpartition(".")[0]
    if project.is_package(dotted, 0, importer):
        return True
    return bool(parent) and (
        project.resolve(parent, 0, importer) is not None or project.is_package(parent, 0, importer)
    )


def _is_built(facts: Facts, dotted: str, level: int, importer: str) -> bool:
    """Whether an import means a module that is made when the project is built, such as `from . import _C`.

    It is no source of the project, and nothing that the package it is taken from binds.
    """
    parent, _, name = dotted.rpartition(".")
    package = facts.project.resolve(parent, level, importer) if name else None
    source = facts.project.source(package) if package is not None else None
    if source is None:
        return False
    names = facts.once(("names in", package), partial(_names, source.code))
    return names is not None and name not in names


def _names(text: str) -> frozenset[str] | None:
    """The names in a file, but for those of imports of modules; None where it takes all that another file has."""
    return None if _STAR.search(text) else frozenset(re.findall(r"\w+", _OF_MODULES.sub("", text)))


def _named(project: Project, path: str, *, surely: bool = False) -> list[tuple[str, int]]:
    """The modules that the imports of a file name, with their dots; of what is imported from a module, too.

    With `surely`, only of imports that whoever runs the file comes by.
    """
    found: list[tuple[str, int]] = []
    for module, level, names, begins in project.imports(path) or ():
        if begins or not surely:
            found += _and_inside(module, level, (name for name, _ in names or ()))
    return found


def _and_inside(module: str, level: int, names: Iterable[str]) -> list[tuple[str, int]]:
    """A module, and what of the names imported from it may be modules inside of it."""
    return [(module, level), *((f"{module}.{name}" if module else name, level) for name in names if name != "*")]
