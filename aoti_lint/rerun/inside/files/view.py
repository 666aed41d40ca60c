"""What Python's own functions for files see: packages of the user are read as this rerun changed them, never changed.

A script may look whether its package exists, copy it, move a new one over the old one, remove it first. Each `.pt2` of
the user that it would change is left alone: the change happens to a copy in the folder of the rerun, where it is read
from then on. Libraries and archives with other suffixes are only looked up: Python imports those without asking here.
What lists folders does not see it.

In a copy of the user's folder, each path into the folder itself leads to the copy.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import threading
from collections.abc import Callable
from typing import Any

from ..events import Events
from ..wrapping import FILE
from .copied import Copied
from .paths import Paths

_CHANGES = os.O_WRONLY | os.O_RDWR
_BUSY = threading.local()
_OTHERS = ("lstat", "mkdir", "rmdir", "listdir", "scandir", "chdir", "readlink", "symlink", "link", "statvfs", "mkfifo",
           "mknod", "lchown", "chflags", "lchmod", "removexattr", "pathconf")  # fmt: skip
"""What only has to lead to the copy."""
_TWO = frozenset({"rename", "replace", "symlink", "link"})
"""What takes two paths."""


class View:
    """Replaces the functions; `paths` knows what is where, `copied` what leads to the copy, if there is one."""

    def __init__(self, paths: Paths, events: Events, copied: Copied | None = None) -> None:
        self._paths, self._events, self._copied = paths, events, copied
        self._copy = shutil.copy2

    def install(self) -> None:
        """From now on."""
        for name in ("stat", "access", "getxattr", "listxattr"):
            self._put(name, self._read)
        for name in ("chmod", "utime", "truncate", "setxattr", "chown"):
            self._put(name, self._change)
        self._put("open", self._os_open)
        for name in ("remove", "unlink"):
            self._put(name, self._remove)
        for name in ("rename", "replace"):
            self._put(name, self._rename)
        if self._copied is not None:
            for name in _OTHERS:
                self._put(name, self._as_it_is)
        opened = _Function(builtins.open, self._open, self._copied)
        builtins.open = io.open = opened

    def _put(self, name: str, how: Callable[..., Any]) -> None:
        original = getattr(os, name, None)
        if original is None:
            return
        function = _Function(original, how, self._copied)
        setattr(os, name, function)
        for names in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if original in names:
                names.add(function)

    def _seen(self, path: Any) -> str | None:
        """Where a path that is a package's leads, if not to itself."""
        try:
            return self._paths.use(path) if self._paths.may_be(path) else None
        except Exception as error:
            self._events.note(f"cannot look up {path}", error)
            return None

    def _is_users(self, path: Any) -> bool:
        return self._paths.may_be(path) and self._paths.users(path)

    def _changed(self, path: Any, copy: bool) -> str | None:
        """The same for one that is about to be changed; `copy` for one that is not written anew."""
        seen = self._seen(path)
        if seen is None and self._is_users(path) and self._paths.may_write(path):
            try:
                made = self._paths.make(path)
                if copy:
                    self._copy(os.fspath(path), made)
                self._paths.register(path, made)
                self._events.write("kept", path=os.path.realpath(os.fsdecode(path)))
                return made
            except Exception as error:
                self._events.note(f"cannot write elsewhere than to {path}", error)
        return seen

    def _as_it_is(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        return original(*args, **kwargs)

    def _read(self, original: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
        return original(self._seen(path) or path, *args, **kwargs)

    def _change(self, original: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
        return original(self._changed(path, copy=True) or path, *args, **kwargs)

    def _open(self, original: Any, file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if isinstance(mode, str) and any(letter in mode for letter in "wa+"):
            return original(self._changed(file, copy="w" not in mode) or file, mode, *args, **kwargs)
        return original(self._seen(file) or file, mode, *args, **kwargs)

    def _os_open(self, original: Any, path: Any, flags: int, *args: Any, **kwargs: Any) -> Any:
        if flags & _CHANGES and not flags & os.O_EXCL:
            path = self._changed(path, copy=not (flags & os.O_TRUNC and flags & os.O_CREAT)) or path
        else:
            path = self._seen(path) or path
        return original(path, flags, *args, **kwargs)

    def _remove(self, original: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
        seen = self._seen(path)
        if seen is None and self._is_users(path):
            self._paths.register(path, self._paths.make(path))
            return None
        return original(seen or path, *args, **kwargs)

    def _rename(self, original: Any, src: Any, dst: Any, *args: Any, **kwargs: Any) -> Any:
        source, users = self._seen(src), False
        if source is None and self._is_users(src):
            source, users = os.fspath(src), True
        target = self._changed(dst, copy=False)
        if source is None and target is None:
            return original(src, dst, *args, **kwargs)
        source, target = source or os.fspath(src), target or os.fspath(dst)
        if not users:
            try:
                return original(source, target)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        self._copy(source, target)
        return self._remove(os.unlink, src)


class _Function:
    """Stands for a function written in C: unlike one written in Python it is no method where a class has it."""

    def __init__(self, original: Any, how: Callable[..., Any], copied: Copied | None) -> None:
        self._original, self._how, self._copied = original, how, copied
        self._paths = 2 if original.__name__ in _TWO else 1
        self.__name__, self.__doc__, self.__wrapped__ = original.__name__, original.__doc__, original
        self.__module__, self.__qualname__ = original.__module__, original.__qualname__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._copied is not None:
            args = (*map(self._copied.path, args[: self._paths]), *args[self._paths :])
        # What has an opener calls os.open itself: so does pathlib before Python 3.10.
        if getattr(_BUSY, "yes", False) or not args or any(name.endswith(("dir_fd", "opener")) for name in kwargs):
            return self._original(*args, **kwargs)
        _BUSY.yes = True
        try:
            return self._how(self._original, *args, **kwargs)
        finally:
            _BUSY.yes = False

    def __repr__(self) -> str:
        return repr(self._original)


for _method in (_Function.__call__, View._as_it_is, View._read, View._change, View._open, View._os_open, View._remove,
                View._rename):  # fmt: skip
    _method.__code__ = _method.__code__.replace(co_filename=FILE)
