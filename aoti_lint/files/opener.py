"""The one way a file is read: it is a regular file, and no more of it is read than its kind may have.

A tree from elsewhere may have a named pipe or a link to a device in the place of any file: reading those waits for
ever or fills the memory. What cannot be read so raises `NotRead`, an `OSError` whose `strerror` says why.
"""

from __future__ import annotations

import errno
import io
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO


class Kind:
    """What is read: its name in a message, and the most bytes that are read of it (None: it is read in parts)."""

    def __init__(self, name: str, limit: int | None) -> None:
        self.name = name
        self.limit = limit


_MIB = 1 << 20

SOURCE = Kind("a Python file", 16 * _MIB)
NATIVE = Kind("a C++ or CUDA file", 16 * _MIB)
NOTEBOOK = Kind("a notebook", 128 * _MIB)
SETTINGS = Kind("a script or a file of settings", 8 * _MIB)
CONFIG = Kind("a file of configuration", 4 * _MIB)
REQUIREMENTS = Kind("a list of requirements", 4 * _MIB)
IGNORE_LIST = Kind("a list of what is ignored", 1 * _MIB)
LOCK = Kind("a lock file", 64 * _MIB)
INDEX = Kind("an index of weights", 64 * _MIB)
GENERATED = Kind("a file that aoti-lint wrote", 256 * _MIB)
LOG = Kind("a log", 4096 * _MIB)
ARCHIVE = Kind("an archive", None)
WEIGHTS = Kind("a file of weights", None)


class NotRead(OSError):
    """A file that is not read: it is no regular file, too large, or has a name that no file can have."""


def read_file(path: str | os.PathLike[str], kind: Kind) -> bytes:
    """All of a regular file. Raises `OSError`, with `NotRead` for what must not be read."""
    with open_regular(path, kind) as file:
        return file.read()


def open_regular(path: str | os.PathLike[str], kind: Kind) -> BinaryIO:
    """A regular file, open for reading; reading past the limit of its kind raises `NotRead`, as `read_file` does."""
    try:
        # Opening a device may already do something: it is asked what it is before.
        _accept(os.stat(path), path, kind)
        descriptor = os.open(path, _FLAGS)
    except ValueError:
        raise NotRead(errno.EINVAL, "no file can have this name", path) from None
    try:
        _accept(os.fstat(descriptor), path, kind)
        return io.BufferedReader(_Bounded(descriptor, path, kind))
    except BaseException:
        os.close(descriptor)
        raise


_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a pipe that came since it was looked at does not wait for a writer
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

_OTHERS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def _accept(status: os.stat_result, path: str | os.PathLike[str], kind: Kind) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(status.st_mode):
        what = next((name for test, name in _OTHERS if test(status.st_mode)), "something else")
        raise NotRead(errno.EINVAL, f"this is {what}, not a file", path)
    if kind.limit is not None and status.st_size > kind.limit:
        raise _too_large(path, kind)


def _too_large(path: str | os.PathLike[str], kind: Kind) -> NotRead:
    limit = kind.limit or 0
    most = f"{limit // _MIB} MiB" if limit >= _MIB else f"{limit} bytes"
    return NotRead(errno.EFBIG, f"this has more than {most}, the most that is read of {kind.name}", path)


class _Bounded(io.FileIO):
    """A file that is read no further than the limit, whatever size it was said to have (those of /proc have none)."""

    def __init__(self, descriptor: int, path: str | os.PathLike[str], kind: Kind) -> None:
        super().__init__(descriptor, "rb")
        self._path = path
        self._kind = kind

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer."""
        count = super().readinto(buffer)
        if count is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), self._path)
        if self._kind.limit is not None and self.tell() > self._kind.limit:
            raise _too_large(self._path, self._kind)
        return count

    def readall(self) -> bytes:
        """The rest of the file."""
        parts = []
        # One more than it should have: then the end is seen at once.
        want = max(os.fstat(self.fileno()).st_size - self.tell(), 0) + 1
        while part := self._part(want):
            parts.append(part)
            want = max(want - len(part), 1 << 16)
        return b"".join(parts)

    def _part(self, most: int) -> bytes:
        limit = self._kind.limit
        if limit is not None:
            most = min(most, max(limit - self.tell(), 0) + 1)
        part = os.read(self.fileno(), most)
        if limit is not None and self.tell() > limit:
            raise _too_large(self._path, self._kind)
        return part
