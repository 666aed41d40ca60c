"""The copy of the user's folder that this process runs in: what leads to the folder itself leads to the copy.

A script may put the path of its own folder together (`~/net/net.pth`), and a package that is installed from it
(`pip install -e .`) is looked for there.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from .wrapping import FILE


class Copied:
    """`base` is the folder that has the copy, by the whole path of the original; `apart` is what is used as it is."""

    def __init__(self, base: str, folders: list[str], apart: list[str]) -> None:
        self._base = base
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
