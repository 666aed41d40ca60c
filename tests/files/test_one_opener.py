"""No file is opened but by the opener and the writer, which know what may be read and written over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import aoti_lint

PACKAGE = Path(aoti_lint.__file__).parent
PROJECT = PACKAGE.parent
METHODS = {"read_text", "read_bytes", "write_text", "write_bytes"}
FUNCTIONS = {
    "os.open", "os.fdopen", "os.replace", "os.rename", "os.walk", "io.open", "io.FileIO", "codecs.open", "shutil.copy",
    "shutil.copyfile", "shutil.move", "glob.glob", "glob.iglob", "tempfile.mkstemp", "tempfile.NamedTemporaryFile",
}  # fmt: skip
ALLOWED = {
    "files/opener.py": "the opener",
    "files/writer.py": "the writer",
    "files/cache.py": "files in a folder of our own, which nobody else may write to",
    "files/own_folder.py": "the folder of the cache, which is the user's own",
    "torch_api/api.py": "data of our own package",
    "torch_api/messages.py": "data of our own package",
    "torch_api/moments.py": "data of our own package",
    "torch_api/refused/refusals.py": "data of our own package",
    "torch_api/settings.py": "data of our own package",
    "cli/main.py": "/dev/null",
    "report/output.py": "/dev/null",
    "isolated/process.py": "looks for a library of the system, to be named to a child",
    "isolated/serving.py": "a child: its own streams",
}
"""Modules that open files themselves, and why."""
ELSEWHERE = ("rerun/",)
"""What runs the user's program, in a folder of its own: it writes there as the program goes on."""


NEEDLES = re.compile("|".join(re.escape(name.rpartition(".")[2]) for name in (*METHODS, *FUNCTIONS)) + r"|open\(")


def openings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called == "open" or called in FUNCTIONS or called.rpartition(".")[2] in METHODS:
                yield f"{node.lineno}: {called}"


@cache
def found() -> dict[str, list[str]]:
    every = {path: path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))}
    every |= {path: path.relative_to(PROJECT).as_posix() for path in sorted((PROJECT / "rules").rglob("*.py"))}
    texts = {name: path.read_text(encoding="utf-8") for path, name in every.items()}
    parsed = {name: list(openings(ast.parse(text))) for name, text in texts.items() if NEEDLES.search(text)}
    return {name: calls for name, calls in parsed.items() if calls and not name.startswith(ELSEWHERE)}


def test_files_are_opened_in_one_place() -> None:
    assert {name: calls for name, calls in found().items() if name not in ALLOWED} == {}


def test_no_exception_is_left_that_nobody_needs() -> None:
    assert sorted(ALLOWED) == sorted(found())
