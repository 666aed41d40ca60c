"""The copy of the user's folder that this process runs in: what leads to the folder itself leads to the copy.

A script may put the path of its own folder together (`~/net/net.pth`), and a package that is installed from it
(`pip install -e .`) is looked for there.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

from ..wrapping import FILE
from .guard import names, opened

_CHANGE = frozenset({"os.remove", "os.rename", "os.rmdir", "os.mkdir"})
_FOLLOW = frozenset({"os.truncate", "os.chmod", "os.utime"})
"""What changes that which a link leads to."""


class Copied:
    """`base` is the folder that has the copy, by the whole path of the original; `apart` is what is used as it is, and
    of that, what is `linked` is only read."""

    def __init__(self, base: str, folders: list[str], apart: list[str], linked: list[str]) -> None:
        self._base, self._linked = base, tuple(map(os.path.realpath, linked))
        self._folders, self._apart = tuple(folders), tuple(apart)
        self._within = tuple(f"{folder.rstrip(os.sep)}{os.sep}" for folder in folders)
        self._out = tuple(f"{path}{os.sep}" for path in apart)

    def path(self, path: Any) -> Any:
        """Where to go for a path: it itself, unless it leads into the folder."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            return path
        given = os.fspath(path)
        text = os.fsdecode(given)
        if not text.startswith(self._folders):
            return path
        text = os.path.normpath(text)
        if not (text in self._folders or text.startswith(self._within)):
            return path
        if text in self._apart or text.startswith(self._out):
            return path
        made = self._base + os.path.splitdrive(text)[1]
        return os.fsencode(made) if isinstance(given, bytes) else made

    def install(self) -> None:
        """Let Python change nothing of what is only read, from now on."""
        if self._linked:
            sys.addaudithook(self.hear)

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """What Python is about to do. Raises `PermissionError` for what it may not."""
        if event == "open":
            paths = [os.path.realpath(path) for path in opened(args)]
        elif event in _FOLLOW:
            paths = [os.path.realpath(path) for path in names(args[0])]
        elif event in _CHANGE:
            split = [os.path.split(os.path.abspath(path)) for path in names(*args[:2])]
            paths = [os.path.join(os.path.realpath(folder), name) for folder, name in split]
        else:
            return
        for path in paths:
            if any(path == one or path.startswith(f"{one}{os.sep}") for one in self._linked):
                raise PermissionError(errno.EACCES, "it is only read, says --link of aoti-lint rerun", path)

    def modules(self) -> None:
        """Look for modules in the copy: also those of packages that are installed from the folder."""
        sys.path[:] = [self.path(path) for path in sys.path]
        for finder in sys.meta_path:
            mapping = getattr(sys.modules.get(getattr(finder, "__module__", "")), "MAPPING", None)
            if isinstance(mapping, dict):
                # That of setuptools.
                mapping.update({name: self.path(path) for name, path in mapping.items()})

    def serialization(self, module: Any) -> None:
        """`torch.serialization`: its C++ code writes archives, and asks none of Python's functions."""
        original = getattr(module, "_open_zipfile_writer", None)
        if original is None:
            return

        def opened(name: Any, *args: Any, **kwargs: Any) -> Any:
            return original(self.path(name), *args, **kwargs)

        opened.__code__ = opened.__code__.replace(co_filename=FILE)
        module._open_zipfile_writer = opened


Copied.path.__code__ = Copied.path.__code__.replace(co_filename=FILE)
