"""Which files of a project, in any language, mention a name: an environment variable, say."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Sequence
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from aoti_lint.source.remembered.glances import Glances

_SUFFIXES = (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, ".c", ".sh", ".bash", ".cmake", ".txt", ".rs", ".go", ".js", ".ts",
             ".java", ".yml", ".yaml", ".toml", ".cfg", ".ini", ".bzl", "Dockerfile", "Makefile")  # fmt: skip
_LETTER = regex(rb"[A-Za-z0-9_]")
_KIND = "words"


class _Texts:
    """Texts of files: their paths, where each begins in the data of all, and that data."""

    __slots__ = ("data", "paths", "starts")

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.starts: list[int] = []
        # What stands before the first text and between two: no letter.
        self.data = bytearray(b"\0")

    def add(self, path: str, text: bytes) -> None:
        """One more file."""
        self.paths.append(path)
        self.starts.append(len(self.data))
        self.data += text + b"\0"

    def holding(self, word: str) -> list[str]:
        """The files that contain a word as a whole."""
        wanted = word.encode("utf-8", "surrogatepass")
        found: list[str] = []
        place = self.data.find(wanted)
        while place != -1 and wanted:
            after = place + len(wanted)
            if _LETTER.match(self.data, place - 1) or _LETTER.match(self.data, after):
                place = self.data.find(wanted, place + 1)
                continue
            file = bisect_right(self.starts, place)
            found.append(self.paths[file - 1])
            place = self.data.find(wanted, self.starts[file]) if file < len(self.starts) else -1
        return found


class Mentions:
    """The texts below `root`, without what `exclude` leaves out. They are read at the first question, and only then.

    A bounded number of files and bytes is read; of those that `glances` knows the words of, those that changed since.
    """

    def __init__(self, root: str, exclude: Sequence[str], glances: Glances) -> None:
        self._root, self._exclude, self._glances = root, exclude, glances
        self._words: dict[str, list[str]] = {}

    def of(self, word: str) -> Context:
        """The files that contain `word` as a whole, and whether every file was looked at."""
        if word not in self._words:
            known = self._known(word)
            self._words[word] = sorted(self._texts.holding(word)) if known is None else known
        return Context(self._words[word], complete=self._listed[1])

    def remember(self) -> None:
        """Keep what was found for the next run."""
        if self._words:
            words = {word: self._known(word) for word in self._before} | self._words
            self._glances.keep(_KIND, {"files": self._listed[0], "words": words})

    def _known(self, word: str) -> list[str] | None:
        """The files that contain a word the last run looked for, while these are the same files."""
        if word not in self._before:
            return None
        return sorted({*self._before[word]}.difference(self._changed.paths).union(self._changed.holding(word)))

    @cached_property
    def _listed(self) -> tuple[dict[str, str], bool]:
        """The files with hashes of what they hold, and whether these are all."""
        files: dict[str, str] = {}
        complete, size = not is_whole_disk(self._root), 0
        for number, absolute in enumerate(walk_project(self._root, _SUFFIXES, self._exclude) if complete else (), 1):
            path, length = relative(absolute, self._root), _size(absolute)
            content = None if path is None or length > LARGEST_FILE else self._glances.on_disk(path)
            if path is not None and content is not None:
                files[path] = content
                size += length
            if number > MOST_FILES or size > MOST_BYTES:
                complete = False
                break
        return files, complete

    @cached_property
    def _last(self) -> dict[str, Any]:
        """What the last run kept, if these are the files it looked at."""
        found: dict[str, Any] = self._glances.last(_KIND) or {"files": {}, "words": {}}
        return found if found["files"].keys() == self._listed[0].keys() else {"files": {}, "words": {}}

    @property
    def _before(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = self._last["words"]
        return found

    @cached_property
    def _texts(self) -> _Texts:
        return self._read(self._listed[0])

    @cached_property
    def _changed(self) -> _Texts:
        """The texts of the files that the last run saw others in."""
        before = self._last["files"]
        return self._read(path for path, content in self._listed[0].items() if before[path] != content)

    def _read(self, paths: Iterable[str]) -> _Texts:
        texts = _Texts()
        for path in paths:
            try:
                texts.add(path, read_file(os.path.join(self._root, path), SOURCE))
            except OSError:
                continue
        return texts


def _size(absolute: str) -> int:
    try:
        return os.path.getsize(absolute)
    except OSError:
        return LARGEST_FILE + 1
