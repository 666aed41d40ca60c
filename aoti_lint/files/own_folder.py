"""A folder that only this user writes to, and what is done in it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_HELD = os.open in os.supports_dir_fd and hasattr(os, "geteuid")


class Foreign(OSError):
    """Somebody else has a hand in a folder or a file. The text says in which way."""


class OwnFolder:
    """A folder, for a `with` statement. Raises `Foreign` if it is a link, another's, or if others can write to it.

    It is held open, where the system can do that, so that what is found in it is found in the folder that was looked
    at, whatever becomes of its path. Files in it are held to the same rules.
    """

    def __init__(self, name: str, within: OwnFolder | None = None, *, make: bool = False) -> None:
        self._path: str = os.path.join(within._path, name) if within is not None else name
        self._name, self._within, self._make = name, within, make
        self._held: int | None = None

    def __enter__(self) -> OwnFolder:
        within = self._within
        held = within._held if within is not None else None
        path = self._path if held is None else self._name
        if self._make:
            if within is None:
                os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            try:
                os.mkdir(path, mode=0o700, dir_fd=held)
            except FileExistsError:
                pass
        if not _HELD:
            _examine(os.lstat(path), folder=True)
            return self
        if stat.S_ISLNK(os.stat(path, dir_fd=held, follow_symlinks=False).st_mode):
            raise Foreign("it is a link")
        self._held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _FLAGS, dir_fd=held)
        try:
            _examine(os.fstat(self._held), folder=True)
        except OSError:
            os.close(self._held)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._held is not None:
            os.close(self._held)

    def open(self, name: str, flags: int) -> int:
        """A descriptor of a file."""
        try:
            opened = os.open(self._at(name), flags | _FLAGS, 0o600, dir_fd=self._held)
        except OSError as error:
            raise Foreign("it is a link") if error.errno == errno.ELOOP else error from None
        try:
            _examine(os.fstat(opened) if _HELD else os.lstat(self._at(name)), folder=False)
        except OSError:
            os.close(opened)
            raise
        return opened

    def write(self, name: str, data: bytes) -> None:
        """Write a file, beside and renamed: nobody sees half of it."""
        beside = f"{name}.{os.urandom(8).hex()}.tmp"
        try:
            with open(self.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                file.write(data)
            os.replace(self._at(beside), self._at(name), src_dir_fd=self._held, dst_dir_fd=self._held)
        except BaseException:
            self.remove(beside)
            raise

    def remove(self, name: str) -> None:
        """Remove a file, if it is there and can be removed."""
        try:
            os.unlink(self._at(name), dir_fd=self._held)
        except OSError:
            pass

    def touch(self, name: str) -> None:
        """Make the time of a file the present one."""
        os.utime(self._at(name), dir_fd=self._held)

    def entries(self) -> Iterator[tuple[str, os.stat_result]]:
        """What is in it."""
        for name in os.listdir(self._path if self._held is None else self._held):
            try:
                yield name, os.stat(self._at(name), dir_fd=self._held, follow_symlinks=False)
            except OSError:
                # Gone meanwhile.
                continue

    def _at(self, name: str) -> str:
        return os.path.join(self._path, name) if self._held is None else name


def _examine(status: os.stat_result, *, folder: bool) -> None:
    if stat.S_ISLNK(status.st_mode) or bool(getattr(status, "st_reparse_tag", False)):
        raise Foreign("it is a link")
    if not (stat.S_ISDIR if folder else stat.S_ISREG)(status.st_mode):
        raise Foreign(f"it is no {'folder' if folder else 'file'}")
    if _HELD and status.st_uid != os.geteuid():
        raise Foreign("it belongs to another user")
    if _HELD and status.st_mode & 0o022:
        raise Foreign("other users can write to it; chmod go-w takes that from them")
