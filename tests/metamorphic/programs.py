"""The programs whose surroundings are changed: all that this repository has labels or examples of."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.rule_docs import read
from aoti_lint.config import OWN_FILE
from tests.rules.test_idioms import PROGRAMS as IDIOMS

TESTS = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Program:
    """The files of a program, by their paths in its folder."""

    name: str
    files: dict[str, str] = field(hash=False)

    @property
    def scripts(self) -> dict[str, str]:
        """Its Python files."""
        return {path: text for path, text in self.files.items() if path.endswith(".py")}


def programs() -> dict[str, Program]:
    """All of them that Python can read, by name."""
    return {one.name: one for one in (*_truth(), *_projects(), *_examples(), *_idioms()) if _parses(one)}


def _parses(program: Program) -> bool:
    try:
        for text in program.scripts.values():
            ast.parse(text)
    except SyntaxError:
        return False
    return True


def _truth() -> Iterator[Program]:
    for path in sorted((TESTS / "truth" / "scripts").glob("*.py")):
        yield Program(f"truth {path.stem}", {path.name: path.read_text(encoding="utf-8")})


def _projects() -> Iterator[Program]:
    """Those of one version of torch, as neighbours are checked for one."""
    home = TESTS / "projects"
    labels = json.loads((home / "labels.json").read_text(encoding="utf-8"))
    other = {"/".join(path.split("/")[:2]) for path, label in labels.items() if label.get("torch", "2.13") != "2.13"}
    for path in sorted((home / "single").iterdir()):
        if f"single/{path.name}" not in other:
            yield Program(f"single {path.stem}", {path.name: path.read_text(encoding="utf-8")})
    for folder in sorted((home / "trees").iterdir()):
        if f"trees/{folder.name}" not in other:
            found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc")
            files = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}
            yield Program(f"tree {folder.name}", files)


def _examples() -> Iterator[Program]:
    for rule in load():
        doc = read(type(rule).__doc__ or "")
        for kind, examples in (("bad", doc.bad), ("good", doc.good)):
            for number, example in enumerate(examples):
                if not example.archives and example.torch is None and OWN_FILE not in example.files:
                    yield Program(f"{rule.code} {kind} {number}", dict(example.files))


def _idioms() -> Iterator[Program]:
    for name, files in IDIOMS.items():
        yield Program(f"idiom {name}", dict(files))


# What makes programs meet that only happen to use the same names.
_NAMED = (
    re.compile(r"""(?<=["'])(\w+)(?=::)"""),
    re.compile(r"""(?<=torch\.ops\.)(\w+)(?=\.)"""),
    re.compile(r"""(?<=Library\(["'])(\w+)(?=["'])"""),
    re.compile(r"""(?<=TORCH_LIBRARY\()(\w+)(?=,)"""),
    re.compile(r"""(?<=TORCH_LIBRARY_FRAGMENT\()(\w+)(?=,)"""),
    re.compile(r"""(?<=TORCH_LIBRARY_IMPL\()(\w+)(?=,)"""),
)
_FILE = re.compile(r"""([\w-])(?=\.(?:pt2|so|pth|pt|safetensors)\b)""")
_OURS = {"aten", "prims", "std", "torch", "at", "c10", "inductor", "prim", "quantized"}


def apart(program: Program, mark: str) -> Program:
    """The program with op namespaces and names of artefacts that no other one has."""
    own: set[str] = set()
    for text in program.files.values():
        own.update(name for pattern in _NAMED for name in pattern.findall(text))
    own -= _OURS

    def change(text: str) -> str:
        for pattern in _NAMED:
            text = pattern.sub(lambda found: f"{found[1]}_{mark}" if found[1] in own else found[1], text)
        return _FILE.sub(rf"\1_{mark}", text)

    return Program(program.name, {path: change(text) for path, text in program.files.items()})
