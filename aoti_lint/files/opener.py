"""The one way a file is read: it is a regular file, and no more of it is read than its kind may have.

A tree from elsewhere may have a named pipe or a link to a device in the place of any file: reading those waits for
ever or fills the memory. What cannot be read so raises `NotRead`, an `OSError` whose `strerror` says why; it is kept,
so that a run can say what it passed over.
"""

from __future__ import annotations

import errno
import io
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Kind:
    """What is read: its name in a message, and the most bytes that are read of it (None: it is read in parts)."""

    def __init__(self, name: str, limit: int | None) -> None:
        self.name = name
        self.limit = limit


_MIB = 1 << 20

SOURCE = Kind("a source file", 16 * _MIB)
NOTEBOOK = Kind("a notebook", 128 * _MIB)
CONFIG = Kind("a file of configuration", 4 * _MIB)
REQUIREMENTS = Kind("a list of requirements", 4 * _MIB)
IGNORE_LIST = Kind("a list of what is ignored", 1 * _MIB)
LOCK = Kind("a lock file", 64 * _MIB)
INDEX = Kind("an index of weights", 64 * _MIB)
GENERATED = Kind("a file that aoti-lint wrote", 256 * _MIB)
LOG = Kind("a log", 1024 * _MIB)
ARCHIVE = Kind("an archive", None)
WEIGHTS = Kind("a file of weights", None)
BEGINNING = Kind("a file", None)
"""Of which only the first bytes are looked at, to see what it is."""

MOST_REFUSED = 1000

_refused: dict[str, str] = {}


class NotRead(OSError):
    """A file that is not read: it is no regular file, too large, or has a name that no file can have."""

    def __init__(self, number: int, why: str, path: str | os.PathLike[str]) -> None:
        super().__init__(number, why, os.fspath(path))
        pass_over(path, why)


def pass_over(path: str | os.PathLike[str], why: str) -> None:
    """Keep that a file was not heeded."""
    if len(_refused) < MOST_REFUSED:
        _refused[os.path.join(os.getcwd(), path)] = why


def refused() -> dict[str, str]:
    """Why files were not read since `forget`, by absolute path; at most `MOST_REFUSED` of them."""
    return dict(_refused)


def forget() -> None:
    """Begin anew with `refused`."""
    _refused.clear()


def source_kind(path: str) -> Kind:
    """The kind of a file that is checked, or imported by one."""
    return NOTEBOOK if path.endswith(".ipynb") else SOURCE


def read_file(path: str | os.PathLike[str], kind: Kind) -> bytes:
    """All of a regular file. Raises `OSError`, with `NotRead` for what must not be read."""
    with open_regular(path, kind) as file:
        return file.read()


def open_regular(path: str | os.PathLike[str], kind: Kind) -> io.BufferedReader:
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


def open_named(path: str, kind: Kind) -> io.BufferedReader:
    """The same for a file that the user named, who may also mean a stream: `<(command)` of a shell, or /dev/stdin."""
    opened = descriptor(path)
    return open_regular(path, kind) if opened is None else open(os.dup(opened), "rb")


def descriptor(path: str) -> int | None:
    """The open descriptor that a path such as /dev/fd/63 means."""
    if path in _STANDARD:
        return _STANDARD.index(path)
    folder, _, number = path.rpartition("/")
    return int(number) if folder in ("/dev/fd", "/proc/self/fd") and number.isdecimal() else None


_STANDARD = ("/dev/stdin", "/dev/stdout", "/dev/stderr")
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
        raise NotRead(errno.EFBIG, too_large(kind), path)


def too_large(kind: Kind) -> str:
    """What is said of something that has more than its kind may have."""
    limit = kind.limit or 0
    most = f"{limit // _MIB} MiB" if limit >= _MIB else f"{limit} bytes"
    return f"this has more than {most}, the most that is read of {kind.name}"


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
            raise NotRead(errno.EFBIG, too_large(self._kind), self._path)
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
            raise NotRead(errno.EFBIG, too_large(self._kind), self._path)
        return part
