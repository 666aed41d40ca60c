"""`pytest --changed [REV]`: the tests that would fail first after what was changed since a revision.

A module has the tests of its room, and those of other rooms that import it; a rule those of `tests/rules` that name its
code; a test and what tests import, themselves; any other file the tests that name it. Nothing has to be run to know
that. A plugin that records which lines each test ran (pytest-testmon) does not see into processes that tests start, nor
which files they read, and chooses nearly everything, as nearly every test runs the machine.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from tests.structure.imports import arrows, modules

ROOT = Path(__file__).parents[1]
ALWAYS = ("tests/structure", "tests/rules/test_examples.py")
"""What holds for every change and takes seconds: who imports whom, and the examples of all rules."""
AT_LENGTH = ("test_faults.py", "test_real.py")
"""Files of a room that take minutes: run programs of a user from end to end. The whole suite has them."""
CODE = re.compile(r"AOTI\d{3}")
DECLARED = re.compile(r'^    code = "(AOTI\d{3})"', re.MULTILINE)


def files(revision: str = "", root: Path = ROOT) -> list[str]:
    """What was changed since a revision, the branch left main by default; also what git does not know yet."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        return done.stdout

    since = revision or git("merge-base", "HEAD", "main").strip()
    listed = git("diff", "--name-only", "-z", "--no-renames", since, "--")
    listed += git("ls-files", "--others", "--exclude-standard", "-z")
    return sorted(filter(None, set(listed.split("\0"))))


class Selection:
    """Which tests what was changed has."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root

    def of_all(self, changed: Iterable[str]) -> list[str]:
        """Files and folders of tests, none inside another."""
        found = {name for path in changed for name in self.of(path)} | set(ALWAYS)
        return sorted(name for name in found if not any(str(above) in found for above in Path(name).parents))

    def of(self, path: str) -> set[str]:
        """The tests of one file."""
        top, _, rest = path.partition("/")
        if top == "aoti_lint":
            return {test for test in self._of_room(rest) | self._importing(path) if Path(test).name not in AT_LENGTH}
        if top == "rules":
            return self._of_rule(path)
        if path in self._texts and not path.endswith("__init__.py"):
            return self._of_test(path)
        if top == "tests":
            near = self._near(path)
            return near & self._naming(path) or near
        return self._naming(path) | self._using(_dotted(path)) | self._using(Path(path).stem)

    def _of_room(self, rest: str) -> set[str]:
        """The tests of the innermost room that has some; a module beside the rooms has those named after it."""
        for folder in list(Path("tests", rest).parents)[:-2]:
            beneath = {test for test in self._tests if folder in Path(test).parents}
            if beneath:
                # Rooms inside of the room have tests of their own.
                return {test for test in beneath if Path(test).parent == folder} or {str(folder)}
        return {test for test in self._tests if Path(test).name == f"test_{Path(rest).stem}.py"}

    def _importing(self, path: str) -> set[str]:
        """The tests that import a module, of the rooms that stand on its room: others only use it to run something."""
        room = _room(_dotted(path).partition(".")[2])
        above = {_room(arrow.start) for arrow in arrows() if _room(arrow.end) == room} | {room}
        return {test for test in self._using(_dotted(path)) if test.split("/")[1] in above}

    def _of_rule(self, path: str) -> set[str]:
        """The tests of rules that name the codes in a file, or in those that import it."""
        changed = {name for name, file in modules().items() if file == self.root / path}
        todo = list(changed)
        while todo:
            end = todo.pop()
            more = {arrow.start for arrow in arrows() if arrow.end == end and _room(arrow.start) == "rules"} - changed
            changed |= more
            todo += more
        codes = {code for name in changed for code in DECLARED.findall(modules()[name].read_text(encoding="utf-8"))}
        named = {test for test in self._tests if codes & set(CODE.findall(self._texts[test]))}
        return {test for test in named if test.startswith("tests/rules/")}

    def _of_test(self, path: str) -> set[str]:
        if Path(path).name == "conftest.py":
            return {str(Path(path).parent)}
        return {path} if path in self._tests else self._using(_dotted(path))

    def _naming(self, path: str) -> set[str]:
        folder, name = Path(path).parent.name, Path(path).name
        words = [path, f'"{folder}" / "{name}"'] + ([f'"{name}"'] if "." in name else [])
        return {test for test in self._tests if any(word in self._texts[test] for word in words)}

    def _near(self, path: str) -> set[str]:
        """Of what lies with the tests, those of the nearest folder that has some, or has some beside it."""
        for folder in Path(path).parents:
            beside = str(folder.with_name(f"test_{folder.name}.py"))
            near = {test for test in self._tests if Path(test).parent == folder or test == beside}
            if near:
                return near
        return set()

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """The modules of tests, not the scripts that they judge: those are in no package."""
        found = (path for path in sorted((self.root / "tests").rglob("*.py")) if (path.parent / "__init__.py").exists())
        return {path.relative_to(self.root).as_posix(): path.read_text(encoding="utf-8") for path in found}

    @cached_property
    def _tests(self) -> set[str]:
        return {path for path in self._texts if Path(path).name.startswith("test_")}

    @cached_property
    def _imports(self) -> Mapping[str, set[str]]:
        return {path: set(_imported(text)) for path, text in self._texts.items()}

    def _using(self, name: str) -> set[str]:
        """The tests that import a module, or what else is in the folders of tests and imports it."""
        found: set[str] = set()
        todo = [name]
        while todo:
            wanted = todo.pop()
            more = {path for path, names in self._imports.items() if wanted in names} - found
            found |= more
            todo += map(_dotted, more)
        return found & self._tests


def _room(module: str) -> str:
    return module.partition(".")[0]


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
