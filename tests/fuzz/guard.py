"""Notices what a command must not do: write elsewhere, start a process, run code of the tree."""

from __future__ import annotations

import os
import sys
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PATHS = {  # event: which of its arguments are paths that change, and which is the folder that each is relative to
    "os.remove": ((0, 1),), "os.rename": ((0, 2), (1, 3)), "os.mkdir": ((0, 2),), "os.rmdir": ((0, 1),),
    "os.link": ((1, 3),), "os.symlink": ((1, 2),), "os.chmod": ((0, 2),), "os.chown": ((0, 3),), "os.utime": ((0, 3),),
    "os.truncate": ((0, 9),), "os.setxattr": ((0, 9),), "os.removexattr": ((0, 9),), "shutil.copyfile": ((1, 9),),
    "shutil.copymode": ((1, 9),), "shutil.copystat": ((1, 9),), "shutil.copytree": ((1, 9),),
    "shutil.move": ((0, 9), (1, 9)), "tempfile.mkstemp": ((0, 9),), "tempfile.mkdtemp": ((0, 9),),
}  # fmt: skip
_NEVER = ("subprocess.", "socket.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "os.system",
          "ctypes.dlopen", "pty.", "webbrowser.", "urllib.", "ftplib.", "http.", "smtplib.", "os.putenv", "os.kill",
          "pickle.find_class", "marshal.load")  # fmt: skip


class Guard:
    """While it is `active`, `seen` gets what was done that must not be. An audit hook cannot be taken away again."""

    def __init__(self, tree: str, allowed: list[str]) -> None:
        self.active = False
        self.seen: list[str] = []
        self._tree = os.path.realpath(tree)
        self._allowed = [os.path.realpath(folder) for folder in allowed]
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, int) or not (
                flags & _WRITES if isinstance(flags, int) else set(mode or "") & set("wax+")
            ):
                return
            # To what a relative path is relative is not said here; `state` tells whether the tree changed.
            if os.path.isabs(os.fsdecode(path)):
                self._changes(event, path)
        elif event in _PATHS:
            for path, folder in _PATHS[event]:
                self._changes(event, arguments[path], arguments[folder] if folder < len(arguments) else -1)
        elif event == "exec":
            # An import of the tree, or code of it by another way.
            file = getattr(arguments[0], "co_filename", "")
            if isinstance(file, str) and not file.startswith("<") and self._is_below(file, [self._tree]):
                self.seen.append(f"{event} of code of the tree")
        elif event.startswith(_NEVER) and not _by_import(event):
            self.seen.append(f"{event} {arguments!r}"[:300])

    def _changes(self, event: str, path: Any, folder: int = -1) -> None:
        if isinstance(path, int) or path is None:
            return
        name = os.fsdecode(path)
        if folder >= 0:
            name = os.path.join(f"/proc/self/fd/{folder}", name)
        if name != os.devnull and not self._is_below(name, self._allowed):
            self.seen.append(f"{event} {name}"[:300])

    def _is_below(self, path: str, folders: list[str]) -> bool:
        folder, name = os.path.split(os.path.abspath(path))
        # The link itself is what is removed or renamed; where it leads counts for what is above it.
        real = os.path.join(os.path.realpath(folder), name)
        return any(os.path.commonpath((real, one)) == one for one in folders)


def _by_import(event: str) -> bool:
    """Whether the import system itself does it: it reads the compiled code of our own modules."""
    if not event.startswith("marshal."):
        return False
    frame = sys._getframe(2)
    return "importlib" in frame.f_code.co_filename or "zipimport" in frame.f_code.co_filename


def state(folder: str) -> dict[str, tuple[int, int, int]]:
    """The files and folders below a folder, and what changes when they do."""
    found: dict[str, tuple[int, int, int]] = {}
    todo = [folder]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                found[entry.path] = status.st_mode, status.st_size, status.st_mtime_ns
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
    return found
