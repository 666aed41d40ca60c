"""The files of a project, in any language, that may hold what a finding depends on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.source import needles
from aoti_lint.source.discover import NATIVE_SUFFIXES, PYTHON_SUFFIXES, is_whole_disk, relative, walk_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.source.kept import Contents

# What the search reads at most.
MOST_FILES = 20_000
MOST_BYTES = 256 * 1024 * 1024
LARGEST_FILE = 4 * 1024 * 1024


class Context:
    """What was found: `files` relative to the root, sorted. `complete` says whether every file was looked at."""

    __slots__ = ("complete", "files")

    def __init__(self, files: list[str], complete: bool) -> None:
        self.files, self.complete = files, complete


def find_context(
    root: str,
    named: Iterable[str],
    overlay: Mapping[str, bytes],
    exclude: Sequence[str],
    kept: Contents | None = None,
) -> Context:
    """Search the files below `root`, and those that were named even where a walk would not go.

    `overlay` holds the contents of files that are not, or not so, on disk; `kept` is from earlier runs. Reads a bounded
    number of files and bytes.
    """
    found = {path for path in named if needles.is_context(overlay.get(path) or _data(os.path.join(root, path)) or b"")}
    if is_whole_disk(root):
        return Context(sorted(found), complete=False)
    complete = True
    files = size = 0
    for absolute in walk_project(root, (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, ".c"), exclude):
        path = relative(absolute, root)
        if path is None or path in overlay:
            continue
        files += 1
        try:
            length = os.path.getsize(absolute)
        except OSError:
            length = LARGEST_FILE + 1
        if length > LARGEST_FILE:
            complete = False
            continue
        size += length
        if files > MOST_FILES or size > MOST_BYTES:
            complete = False
            break
        holds = _holds(absolute) if kept is None else kept.of_file("context", absolute, partial(_holds, absolute))
        if holds is None:
            complete = False
        elif holds:
            found.add(path)
    return Context(sorted(found), complete)


def _holds(absolute: str) -> bool | None:
    """Whether a file may hold what a finding depends on; None where it cannot be read."""
    data = _data(absolute)
    return None if data is None else needles.is_context(data)


def _data(absolute: str) -> bytes | None:
    try:
        return read_file(absolute, source_kind(absolute))
    except OSError:
        return None
