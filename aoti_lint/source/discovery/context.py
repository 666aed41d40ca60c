"""The files of a project, in any language, that may hold what a finding depends on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from aoti_lint.source.discovery.discover import (
    MOST_BYTES,
    MOST_FILES,
    NATIVE_SUFFIXES,
    PYTHON_SUFFIXES,
    is_whole_disk,
    relative,
    walk_project,
)

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of a file that is looked into because it lies in a project; what is larger is data."""


class Context:
    """What was found: `files` relative to the root, sorted. `complete` says whether every file was looked at."""

    __slots__ = ("complete", "files")

    def __init__(self, files: list[str], complete: bool) -> None:
        self.files, self.complete = files, complete


def find_context(
    root: str, named: Iterable[str], exclude: Sequence[str], holds: Callable[[str], bool | None]
) -> Context:
    """Search the files below `root`, and those that were named even where a walk would not go.

    `holds` says of a path whether that file may hold what a finding depends on; None where it cannot be read. It is
    asked for a bounded number of files and bytes.
    """
    found = set(filter(holds, named))
    if is_whole_disk(root):
        return Context(sorted(found), complete=False)
    complete = True
    files = size = 0
    for absolute in walk_project(root, (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, ".c"), exclude):
        path = relative(absolute, root)
        if path is None:
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
        answer = holds(path)
        if answer is None:
            complete = False
        elif answer:
            found.add(path)
    return Context(sorted(found), complete)
