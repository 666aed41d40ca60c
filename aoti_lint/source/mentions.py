"""Which files of a project, in any language, mention a name: an environment variable, say."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from aoti_lint.files.opener import SOURCE, read_file
from aoti_lint.source.context import LARGEST_FILE, MOST_BYTES, MOST_FILES, Context
from aoti_lint.source.discover import NATIVE_SUFFIXES, PYTHON_SUFFIXES, relative, walk_project

_SUFFIXES = (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, ".c", ".sh", ".bash", ".cmake", ".txt", ".rs", ".go", ".js", ".ts",
             ".java", ".yml", ".yaml", ".toml", ".cfg", ".ini", ".bzl", "Dockerfile", "Makefile")  # fmt: skip


def find_mentions(root: str, word: str, exclude: Sequence[str]) -> Context:
    """The files below `root` that contain `word` as a whole, and whether every file was looked at.

    Reads a bounded number of files and bytes.
    """
    whole = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])".encode("utf-8", "surrogatepass"))
    found, files, size = [], 0, 0
    for absolute in walk_project(root, _SUFFIXES, exclude):
        path, data = relative(absolute, root), _data(absolute)
        files, size = files + 1, size + len(data or b"")
        if path is not None and data is not None and whole.search(data):
            found.append(path)
        if files > MOST_FILES or size > MOST_BYTES:
            return Context(sorted(found), complete=False)
    return Context(sorted(found), complete=True)


def _data(absolute: str) -> bytes | None:
    try:
        if os.path.getsize(absolute) > LARGEST_FILE:
            return None
        return read_file(absolute, SOURCE)
    except OSError:
        return None
