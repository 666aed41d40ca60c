"""Looks at the folders that runs need a copy of: what is copied, what is a link to the original, and how much it is.

- The folder is that of the project (the nearest above with `.git`, else with `pyproject.toml` and the like), or the
  current one. Links that lead out of it are followed: what is behind them is copied, too.
- Environments (`.venv`, conda, `node_modules`), folders of reruns and what the user names stay where they are, behind
  a link.
- Of a repository the objects stay where they are, as git never changes those that it borrows; `.git` of a work tree
  elsewhere is left out.
- Caches of tools are left out, and what is no file: sockets and devices.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import CONFIG, read_file

BESIDE = "aoti-rerun"
"""The folder, where the command is run, that folders of reruns are made in."""
BYTES, FILES, DEPTH = 2 << 30, 100_000, 100
"""The most that is copied, and how deep folders are nested in it."""
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
_LEFT_OUT = frozenset({"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
_ELSEWHERE = frozenset({"objects", "lfs", "modules", "worktrees"})
"""What of `.git` is large, or of other work trees."""
PREFIX = "aoti-rerun-copy-"
"""How the name of a folder begins that has a copy in it."""
_NAMED = 3
"""Parts of a folder that is too large which are named."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that the copy has. `path` is where it is in the user's folder.

    `original` is a link to what is there; a `link` leads to `leads`; `objects` are those of a repository.
    """

    kind: Literal["folder", "file", "link", "original", "pipe", "objects"]
    path: str
    size: int = 0
    time: int = 0
    leads: str = ""


@dataclass(slots=True)
class Survey:
    """What there is to copy. `linked` is what the user names, as it is only read, `ours` the folder of the rerun: they
    stay where they are."""

    folders: tuple[str, ...]
    linked: tuple[str, ...] = ()
    ours: str = ""
    parts: list[Part] = field(default_factory=list)
    size: int = 0

    @property
    def files(self) -> int:
        """How many files are copied."""
        return sum(part.kind == "file" for part in self.parts)

    @property
    def originals(self) -> list[str]:
        """What stays where it is, behind a link."""
        return [part.path for part in self.parts if part.kind == "original"]

    def changed(self) -> list[str]:
        """The files that are not as they were when they were looked at, whoever changed them.

        Not those that what this process prints is sent to.
        """
        ours = [os.fstat(number) for number in (1, 2) if _is_open(number)]
        return [
            part.path
            for part in self.parts
            if part.kind == "file" and not _same(part) and not any(_is_file(part.path, one) for one in ours)
        ]

    def look(self) -> None:
        """Find all parts. Raises `CannotRun` where they are too much, with what makes them so."""
        seen: set[str] = set()
        for folder in self.folders:
            for part in self._below(folder, seen, DEPTH):
                self.parts.append(part)
                self.size += part.size
                if len(self.parts) > FILES:
                    raise CannotRun(f"{folder}: the runs get a copy of it, and it has more than {FILES} files; "
                                    f"{self._advice()}")  # fmt: skip
        cwd = os.path.realpath(os.getcwd())
        around = next((path for path in self.originals if is_in(cwd, path)), None)
        if around is not None:
            raise CannotRun(f"{cwd}: the runs get a copy of your folder, without {around}; start from another folder, "
                            "or with --in-place")  # fmt: skip
        if self.size > BYTES:
            raise CannotRun(f"{' and '.join(self.folders)}: the runs get a copy, of {amount(BYTES)} at most, and this "
                            f"is {amount(self.size)}; {self._advice()}")  # fmt: skip

    def _advice(self) -> str:
        sizes: dict[str, int] = {}
        for part in self.parts:
            top = next(folder for folder in self.folders if is_in(part.path, folder))
            name = os.path.join(top, os.path.relpath(part.path, top).split(os.sep)[0])
            sizes[name] = sizes.get(name, 0) + part.size
        largest = sorted(sizes, key=lambda name: -sizes[name])[:_NAMED]
        named = ", ".join(f"{os.path.relpath(name)} ({amount(sizes[name])})" for name in largest)
        return (
            f"--link PATH leaves what your program only reads where it is (the largest: {named}), "
            "--in-place runs it in the folder itself"
        )

    def _below(self, folder: str, seen: set[str], deep: int) -> Iterator[Part]:
        """All in a folder, each before what it has in it."""
        if not deep:
            raise CannotRun(f"{os.path.relpath(folder)}: the runs get a copy, and this is more than {DEPTH} folders "
                            "deep; --link PATH leaves what your program only reads where it is")  # fmt: skip
        yield Part("folder", folder)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return  # the program cannot look into it either
        of_git = os.path.basename(folder) == ".git"
        for entry in entries:
            out = entry.name in (_ELSEWHERE if of_git else _LEFT_OUT) or entry.name.startswith(PREFIX)
            if not out:
                yield from self._one(entry.path, seen, deep)
        if of_git:
            yield Part("objects", os.path.join(folder, "objects"))

    def _one(self, path: str, seen: set[str], deep: int) -> Iterator[Part]:
        try:
            status = os.lstat(path)
            if path in (*self.linked, self.ours):
                yield Part("original", path)
                return
            if stat.S_ISLNK(status.st_mode):
                real = os.path.realpath(path)
                here = any(is_in(real, folder) or is_in(folder, real) for folder in self.folders)
                if here or real in seen or not os.path.exists(path):
                    yield Part("link", path, leads=os.readlink(path))
                    return
                seen.add(real)
                status = os.stat(path)
        except OSError:
            return  # gone meanwhile
        if stat.S_ISREG(status.st_mode):
            if os.path.basename(path) != ".git":
                yield Part("file", path, status.st_size, status.st_mtime_ns)
        elif stat.S_ISFIFO(status.st_mode):
            yield Part("pipe", path)
        elif stat.S_ISDIR(status.st_mode):
            if os.path.basename(path) == BESIDE or _is_environment(path):
                yield Part("original", path)
            elif os.path.basename(path) != ".git" or _is_repository(path):
                yield from self._below(path, seen, deep - 1)


def _same(part: Part) -> bool:
    try:
        status = os.stat(part.path)
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (part.size, part.time)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _is_file(path: str, other: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), other)
    except OSError:
        return False


def folders_of(cwd: str, scripts: Sequence[str]) -> tuple[str, ...]:
    """The folders of the projects that a command is run in and takes scripts from, none inside another."""
    found = {_project(cwd), *(_project(os.path.dirname(os.path.realpath(script))) for script in scripts)}
    return tuple(sorted(one for one in found if not any(other != one and is_in(one, other) for other in found)))


def amount(size: int) -> str:
    """A number of bytes, for people."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"


def _project(folder: str) -> str:
    folder = os.path.realpath(folder)
    top = os.path.realpath(os.path.expanduser("~"))
    above, here = [folder], folder
    while (here := os.path.dirname(here)) != above[-1]:
        above.append(here)
    # A home with files of its own under git is no project, and neither is what is above it.
    above = [one for one in above if not is_in(top, one)]
    for marks in (_MARKS[:1], _MARKS[1:]):
        for one in above:
            if any(os.path.exists(os.path.join(one, mark)) for mark in marks):
                return one
    return folder


def _is_environment(path: str) -> bool:
    if os.path.basename(path) == "node_modules":
        return True
    return any(os.path.lexists(os.path.join(path, name)) for name in ("pyvenv.cfg", "conda-meta"))


def _is_repository(path: str) -> bool:
    """Whether git can be given a copy of it: one that names its work tree would go on in that."""
    try:
        return b"worktree" not in read_file(os.path.join(path, "config"), CONFIG).lower()
    except OSError:
        return False


def is_in(path: str, folder: str) -> bool:
    """Whether a path is that of a folder, or of what is in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
