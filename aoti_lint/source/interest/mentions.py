"""Which files of a project, in any language, mention a name: an environment variable, say."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from aoti_lint.files.opener import SOURCE, read_file
from aoti_lint.lazily.regex import regex
from aoti_lint.source.discovery.context import LARGEST_FILE, Context
from aoti_lint.source.discovery.discover import (
    MOST_BYTES,
    MOST_FILES,
    NATIVE_SUFFIXES,
    PYTHON_SUFFIXES,
    is_whole_disk,
    relative,
    walk_project,
)

_SUFFIXES = (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, ".c", ".sh", ".bash", ".cmake", ".txt", ".rs", ".go", ".js", ".ts",
             ".java", ".yml", ".yaml", ".toml", ".cfg", ".ini", ".bzl", "Dockerfile", "Makefile")  # fmt: skip
_LETTER = regex(rb"[A-Za-z0-9_]")


class Mentions:
    """The texts below `root`, without what `exclude` leaves out. They are read at the first question, and only then.

    A bounded number of files and bytes is read.
    """

    def __init__(self, root: str, exclude: Sequence[str]) -> None:
        self._root, self._exclude = root, exclude

    def of(self, word: str) -> Context:
        """The files that contain `word` as a whole, and whether every file was looked at."""
        paths, starts, data, complete = self._texts
        wanted = word.encode("utf-8", "surrogatepass")
        found: list[str] = []
        place = data.find(wanted)
        while place != -1 and wanted:
            after = place + len(wanted)
            if _LETTER.match(data, place - 1) or _LETTER.match(data, after):
                place = data.find(wanted, place + 1)
                continue
            file = bisect_right(starts, place)
            found.append(paths[file - 1])
            place = data.find(wanted, starts[file]) if file < len(starts) else -1
        return Context(sorted(found), complete=complete)

    @cached_property
    def _texts(self) -> tuple[list[str], list[int], bytearray, bool]:
        """The paths of the files, where each begins in the data of all, that data, and whether it is all there is."""
        paths: list[str] = []
        starts: list[int] = []
        # What stands before the first text and between two: no letter.
        data = bytearray(b"\0")
        complete = not is_whole_disk(self._root)
        for files, absolute in enumerate(walk_project(self._root, _SUFFIXES, self._exclude) if complete else (), 1):
            path, text = relative(absolute, self._root), _text(absolute)
            if path is not None and text is not None:
                paths.append(path)
                starts.append(len(data))
                data += text + b"\0"
            if files > MOST_FILES or len(data) > MOST_BYTES:
                complete = False
                break
        return paths, starts, data, complete


def _text(absolute: str) -> bytes | None:
    try:
        if os.path.getsize(absolute) > LARGEST_FILE:
            return None
        return read_file(absolute, SOURCE)
    except OSError:
        return None
