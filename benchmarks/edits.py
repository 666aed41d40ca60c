"""Edits of files, as somebody makes them between two checks."""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from benchmarks.trees import python_files


def add_comment(path: Path, pick: random.Random) -> None:
    """Put a comment on a line of its own somewhere in a file, which moves what comes after it."""
    lines = path.read_bytes().splitlines(keepends=True)
    # Behind a backslash or in a text it would be no comment, but as good an edit.
    lines.insert(pick.randrange(len(lines) + 1), b"# edited\n")
    path.write_bytes(b"".join(lines))


def add_statement(path: Path, pick: random.Random) -> None:
    """Put an assignment before a random statement of a random function; a comment where there is none."""
    data = path.read_bytes()
    tree = ast.parse(data if _is_python(data) else b"")
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    statements = [statement for one in functions for statement in one.body]
    for before in pick.sample(statements, len(statements)):
        lines = data.splitlines(keepends=True)
        lines.insert(before.lineno - 1, b" " * before.col_offset + b"_edited = %d\n" % pick.randrange(10**6))
        edited = b"".join(lines)
        if _is_python(edited):
            path.write_bytes(edited)
            return
    add_comment(path, pick)


def _is_python(data: bytes) -> bool:
    try:
        ast.parse(data)
    except SyntaxError:
        return False
    return True


Edit = Callable[[Path, random.Random], None]


class Edits:
    """One edit after the other of random files of a copy of a tree."""

    def __init__(self, tree: Path, copy: Path, edit: Edit = add_comment) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy)
        self.tree, self._edit = copy, edit
        self._files = python_files(copy)
        self._pick = random.Random(0)

    def next(self) -> None:
        """Edit another file."""
        self._edit(self._pick.choice(self._files), self._pick)
