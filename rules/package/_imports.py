"""What a script imports, directly or through files of the project: read from the text, so never less than it does."""

from __future__ import annotations

import re
import sys
from dataclasses import field
from functools import partial

from aoti_lint.rule import METER, Facts, dataclass
from aoti_lint.rule.events import Event
from aoti_lint.rule.project import IMPORT_STATEMENT, imported_names, is_native

_DYNAMIC = re.compile(
    r"\b(?:load_library|import_module|__import__|CDLL|run_path|run_module|entry_points|cpp_extension)\b"
)
_TEST = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py")
"""Names of the files that pytest collects, unless it is told other ones."""
_OF_MODULES = re.compile(
    r"from[ \t]+\.+[ \t]+import[ \t]+(?:\([^)]*\)|[^\n]*)|^[ \t]*import[ \t]+(?![^\n]*\bas\b)[^\n]*", re.MULTILINE
)
"""Imports that bind modules."""
_HARMLESS = {"torch", "numpy", "triton", "pytest", "tqdm", "yaml", "PIL", "aoti_lint"}


@dataclass(slots=True)
class Reach:
    """The files a script reaches, the modules outside the project, and whether something else may be loaded."""

    files: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)
    dynamic: bool = False

    def mentions(self, facts: Facts, pattern: str) -> bool:
        """Whether any of the files contains what the regular expression `pattern` finds."""
        return any(facts.once(("text", path, pattern), partial(_says, facts, path, pattern)) for path in self.files)


def _says(facts: Facts, path: str, pattern: str) -> bool:
    source = facts.project.source(path)
    return source is not None and re.search(pattern, source.text) is not None


def reach(facts: Facts, path: str) -> Reach:
    """What the script at `path` imports; for tests also what the `conftest.py` files that pytest loads before do."""
    return facts.once(("reach", path), partial(_reach, facts, path))


def may_meet(facts: Facts, first: str, second: str) -> bool:
    """Whether one process may run both files: one imports the other, or a checked file imports both."""
    if first == second or first in reach(facts, second).files or second in reach(facts, first).files:
        return True
    above = [facts.once(("above", path), partial(_above, facts, path)) for path in (first, second)]
    return not above[0].isdisjoint(above[1])


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
        data = (project.data(path) or b"") if path.endswith(".py") else b""
        METER.spend(len(data) // 50)
        targets = (project.resolve(dotted, level, path) for dotted, level in _imported(data))
        for target in dict.fromkeys(targets):
            if target is not None:
                found.setdefault(target, []).append(path)
    return found


def in_its_process(facts: Facts, other: Event, event: Event) -> bool:
    """Whether what one event does may hold where another one happens."""
    root, path = (one.root.split("::")[0] for one in (other, event))
    return root == path or may_meet(facts, other.span.path, path)


def _reach(facts: Facts, path: str) -> Reach:
    found, todo = Reach(), [path, *_conftests(path)]
    while todo:
        current = todo.pop()
        if current in found.files:
            continue
        found.files.add(current)
        # Many scripts reach the same files.
        own = facts.once(("imports of", current), partial(_imports_of, facts, current))
        if own is None:
            continue
        found.dynamic |= own.dynamic
        found.outside |= own.outside
        todo += own.files
        folder = current.rpartition("/")[0]
        while folder and f"{folder}/__init__.py" not in found.files:
            if facts.project.source(f"{folder}/__init__.py") is None:
                break
            todo.append(f"{folder}/__init__.py")
            folder = folder.rpartition("/")[0]
    return found


@dataclass(slots=True)
class Imports:
    """What one file imports itself: files of the project, modules outside, and whether something else may be loaded."""

    files: list[str] = field(default_factory=list)
    outside: set[str] = field(default_factory=set)
    dynamic: bool = False


def _imports_of(facts: Facts, path: str) -> Imports | None:
    """None where the file cannot be read."""
    source = facts.project.source(path)
    if source is None:
        return None
    found = Imports(dynamic=_DYNAMIC.search(source.text) is not None)
    for dotted, level in _imported(source.text.encode("utf-8", "surrogatepass")):
        target = facts.project.resolve(dotted, level, path)
        if target is not None:
            found.files.append(target)
        elif level or _inside(facts, dotted, path):
            found.dynamic |= _is_built(facts, dotted, level, path)
        else:
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
    if source is None or re.search(r"import\s*\(?\s*\*", source.text):
        return False
    return re.search(rf"\b{re.escape(name)}\b", _OF_MODULES.sub("", source.text)) is None


def _imported(data: bytes) -> list[tuple[str, int]]:
    names: list[tuple[str, int]] = []
    for found in IMPORT_STATEMENT.finditer(data):
        if found["modules"] is not None:
            names += [(dotted, 0) for dotted, _ in imported_names(found["modules"])]
            continue
        level, module = len(found["dots"]), found["module"].decode("utf-8", "ignore")
        names.append((module, level))
        inner = [name for name, _ in imported_names(found["names"]) if name != "*"]
        names += [(f"{module}.{name}" if module else name, level) for name in inner]
    return names
