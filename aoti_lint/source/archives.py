"""Archives as files: which ones the configuration names, and whether one is still the same. Reads none of them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from aoti_lint.source.discover import ARCHIVE_SUFFIXES

_TAIL = 1 << 16
"""Bytes at the end that are hashed: there lies the directory of a zip file, with a checksum of every member."""
_MAX_NEIGHBOURS = 500


def matched(patterns: Iterable[str], folder: str, root: str) -> tuple[list[str], list[str]]:
    """The archives below `folder` that patterns such as `dist/*.pt2` mean, and the patterns that mean none.

    The archives are relative to `root`, with `/`; one above it begins with `..`.
    """
    from glob import glob

    found: dict[str, None] = {}
    idle = []
    for pattern in patterns:
        paths = [path for path in glob(os.path.join(folder, pattern), recursive=True) if _is_archive(path)]
        if not paths:
            idle.append(pattern)
        for path in paths:
            try:
                found[os.path.relpath(path, root).replace(os.sep, "/")] = None
            except ValueError:  # another drive
                found[os.path.abspath(path).replace(os.sep, "/")] = None
    return sorted(found), idle


def _is_archive(path: str) -> bool:
    return path.endswith(ARCHIVE_SUFFIXES) and os.path.isfile(path)


def stamp(path: str) -> str:
    """Changes when an archive does, as far as its size, its times and its end tell; weights of gigabytes stay unread.

    A library is read with the sources beside it, so these count too. Empty for a file that is not there.
    """
    from aoti_lint.cache import content_hash

    try:
        stat = os.stat(path)
        with open(path, "rb") as file:
            file.seek(max(0, stat.st_size - _TAIL))
            end = content_hash(file.read(_TAIL))
    except OSError:
        return ""
    parts = [f"{stat.st_size} {stat.st_mtime_ns} {end}"]
    if not path.endswith(".pt2"):
        parts += _neighbours(os.path.dirname(path))
    return "\n".join(parts)


def _neighbours(folder: str) -> list[str]:
    found = []
    try:
        names = sorted(name for name in os.listdir(folder or ".") if name.endswith((".cpp", ".json")))
        for name in names[:_MAX_NEIGHBOURS]:
            stat = os.stat(os.path.join(folder, name))
            found.append(f"{name} {stat.st_size} {stat.st_mtime_ns}")
    except OSError:
        pass
    return found
