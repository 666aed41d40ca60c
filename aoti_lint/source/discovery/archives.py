"""Archives as files: which ones the configuration names, and whether one is still the same. Reads none of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch

from aoti_lint.files.cache import content_hash
from aoti_lint.files.opener import ARCHIVE, open_regular
from aoti_lint.lazily.regex import regex
from aoti_lint.source.discovery.discover import ARCHIVE_SUFFIXES

_TAIL = 1 << 16
"""Bytes at the end that are hashed: there lies the directory of a zip file, with a checksum of every member."""
_MAX_NEIGHBOURS = 500
_MOST_ENTRIES = 200_000
"""Entries of folders that are looked at for one pattern."""
_MAGIC = regex(r"[*?[]")


def matched(patterns: Iterable[str], folder: str, root: str) -> tuple[list[str], list[str]]:
    """The archives below `folder` that patterns such as `dist/*.pt2` mean, and the patterns that mean none.

    The archives are relative to `root`, with `/`; one above it begins with `..`.
    """
    found: dict[str, None] = {}
    idle = []
    for pattern in patterns:
        paths = [path for path in _glob(folder, pattern) if _is_archive(path)]
        if not paths:
            idle.append(pattern)
        for path in paths:
            try:
                found[os.path.relpath(path, root).replace(os.sep, "/")] = None
            except ValueError:  # another drive
                found[os.path.abspath(path).replace(os.sep, "/")] = None
    return sorted(found), idle


def _glob(folder: str, pattern: str) -> Iterator[str]:
    """What `glob.glob` finds, but `**` goes through no links: those may lead round in circles."""
    drive, path = os.path.splitdrive(pattern.replace(os.sep, "/"))
    parts = tuple(path.strip("/").split("/"))
    todo = [(drive + os.sep if path.startswith("/") else folder, parts)]
    known = set(todo)
    looked_at = 0
    while todo and looked_at < _MOST_ENTRIES:
        folder, (part, *rest) = todo.pop()
        after = tuple(rest)
        steps: list[tuple[str, tuple[str, ...]]] = []
        if part == "**":
            steps.append((folder, after or ("*",)))
            steps += [(entry.path, (part, *rest)) for entry in _entries(folder, "*") if _is_folder(entry)]
        elif _MAGIC.search(part):
            steps += [(entry.path, after) for entry in _entries(folder, part)]
        else:
            steps.append((os.path.join(folder, part), after))
        looked_at += len(steps)
        yield from (path for path, following in steps if not following)
        fresh = [step for step in steps if step[1] and step not in known]
        known.update(fresh)
        todo += fresh


def _entries(folder: str, pattern: str) -> list[os.DirEntry[str]]:
    """The entries of a folder whose names fit; hidden ones only where the pattern says so."""
    try:
        with os.scandir(folder) as listing:
            return [e for e in listing if fnmatch(e.name, pattern) and (e.name[0] != "." or pattern[0] == ".")]
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def _is_archive(path: str) -> bool:
    return path.endswith(ARCHIVE_SUFFIXES) and os.path.isfile(path)


def stamp(path: str) -> str:
    """Changes when an archive does, as far as its size, its times and its end tell; weights of gigabytes stay unread.

    A library is read with the sources beside it, so these count too. Empty for a file that is not there.
    """
    try:
        stat = os.stat(path)
        with open_regular(path, ARCHIVE) as file:
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
