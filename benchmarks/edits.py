"""Edits of files, as somebody makes them between two checks."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from benchmarks.trees import python_files


def add_comment(path: Path, pick: random.Random) -> None:
    """Put a comment on a line of its own somewhere in a file, which moves what comes after it."""
    lines = path.read_bytes().splitlines(keepends=True)
    # Behind a backslash or in a text it would be no comment, but as good an edit.
    lines.insert(pick.randrange(len(lines) + 1), b"# edited\n")
    path.write_bytes(b"".join(lines))


class Edits:
    """One edit after the other of random files of a copy of a tree."""

    def __init__(self, tree: Path, copy: Path) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy)
        self.tree = copy
        self._files = python_files(copy)
        self._pick = random.Random(0)

    def next(self) -> None:
        """Edit another file."""
        add_comment(self._pick.choice(self._files), self._pick)
