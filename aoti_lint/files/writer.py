"""The one way a file is written: beside its place and then put there whole, never over what is not ours.

Whatever ends the writing (an error, a full disk, Ctrl-C, SIGTERM where it raises), the file that was there stays as it
was and nothing is left beside it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable

from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import GENERATED, Kind, descriptor, open_regular, read_file

_HEAD = 1 << 16


class Target:
    """A place that the user named for a file of ours.

    `ours` recognises such a file by how it begins (its first 64 KiB); any other file that is there is only written
    over with `force`. `inputs` are what this run reads: none of them is ever written over; those that are known later
    may be added. What is no file is written to as it is where that is sensible: a terminal, /dev/null, /dev/stdout, a
    named pipe with a reader.

    Raises `CannotRun` where nothing can be written, before the work that gives the content.
    """

    def __init__(
        self, path: str, ours: Callable[[bytes], bool], *, inputs: Iterable[str] = (), force: bool = False
    ) -> None:
        self.path = path
        self.inputs = [*inputs]
        self._ours = ours
        self._force = force
        try:
            self._there()
        except (OSError, ValueError) as error:
            raise self._said(error) from None

    def write(self, content: str | bytes, *, executable: bool = False) -> None:
        """Put all of the content there, or nothing. Raises `CannotRun`."""
        data = content if isinstance(content, bytes) else encoded(content)
        try:
            there = self._there()
            if there is None or (stat.S_ISREG(there.st_mode) and descriptor(self.path) is None):
                _replace(os.path.realpath(self.path), data, there, executable)
            else:
                _stream(self.path, data)
        except (OSError, ValueError) as error:
            raise self._said(error) from None

    def _there(self) -> os.stat_result | None:
        """What is there now, or nothing yet. Raises where nothing can, or must, be written."""
        opened = descriptor(self.path)
        if opened is not None:
            return os.fstat(opened)
        place = os.path.realpath(self.path)
        folder = os.path.dirname(place)
        try:
            there = os.stat(self.path)
        except FileNotFoundError:
            there = None
            if not os.path.isdir(folder):
                raise
        if (there is not None and stat.S_ISDIR(there.st_mode)) or not os.path.basename(self.path):
            raise _error(errno.EISDIR)
        if there is not None and not stat.S_ISREG(there.st_mode):
            if not stat.S_ISCHR(there.st_mode) and not stat.S_ISFIFO(there.st_mode):
                raise CannotRun(f"{self.path}: this is a device or a socket; name a file")
            return there
        if not os.access(folder, os.W_OK | os.X_OK) or (there is not None and not os.access(place, os.W_OK)):
            raise _error(errno.EACCES)
        if there is not None:
            self._refuse(place, there)
        return there

    def _refuse(self, place: str, there: os.stat_result) -> None:
        if any(_same(path, there) for path in self.inputs):
            raise CannotRun(f"{self.path}: this file is read by this run; name another one to write")
        if self._force or there.st_size == 0:
            return
        with open_regular(place, GENERATED) as file:
            if not self._ours(file.read(_HEAD)):
                raise CannotRun(f"{self.path}: this file was not written by this command; --force writes over it")

    def _said(self, error: OSError | ValueError) -> CannotRun:
        return CannotRun(f"{self.path}: {getattr(error, 'strerror', None) or error}")


def rewrite(path: str, before: bytes, data: bytes, kind: Kind) -> None:
    """Put `data` in the place of `before` in a file of the user's, which keeps its mode and, as a link, its place.

    Raises `CannotRun` where the file holds something else by now, or cannot be written.
    """
    try:
        place = os.path.realpath(path)
        there = os.stat(place)
        if read_file(place, kind) != before:
            raise CannotRun(f"{path}: this file was changed meanwhile; it is left as it is")
        if not os.access(place, os.W_OK):
            raise _error(errno.EACCES)
        _replace(place, data, there, executable=False)
    except (OSError, ValueError) as error:
        raise CannotRun(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def encoded(text: str) -> bytes:
    """UTF-8; names of files that are none keep their bytes, and what no file name can hold is spelt out."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def _replace(place: str, data: bytes, before: os.stat_result | None, executable: bool) -> None:
    """Write beside `place`, then put it there. What was there keeps its owner, if it may, and its mode."""
    beside = os.path.join(os.path.dirname(place), f".aoti-lint-{os.urandom(8).hex()}")
    # Until it has the owner and the mode of what it replaces, nobody else reads it.
    mode = (0o777 if executable else 0o666) if before is None else 0o600
    try:
        made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with open(made, "wb") as file:
            file.write(data)
            file.flush()
            _to_disk(made)
        if before is not None:
            _as_before(beside, before, executable)
        os.replace(beside, place)
    except BaseException:
        try:
            os.unlink(beside)
        except FileNotFoundError:
            pass
        raise


def _to_disk(opened: int) -> None:
    try:
        os.fsync(opened)
    except OSError as error:
        # A file system that has no such thing; a full disk is another matter.
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
            raise


def _as_before(path: str, before: os.stat_result, executable: bool) -> None:
    made = os.stat(path)
    if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.chown(path, before.st_uid, before.st_gid)
        except PermissionError:
            pass
    mode = before.st_mode & 0o777
    # Whoever may read a program may run it.
    os.chmod(path, mode | (mode & 0o444) >> 2 if executable else mode)


def _stream(path: str, data: bytes) -> None:
    opened = descriptor(path)
    if opened is not None:
        # Opened anew, a file would be written from its start.
        sys.stdout.flush()
        with open(opened, "wb", closefd=False) as file:
            file.write(data)
        return
    try:
        # A named pipe that nobody reads would be waited for until somebody does.
        pipe = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise CannotRun(f"{path}: nobody reads this named pipe") from None
        raise
    with open(pipe, "wb") as file:
        os.set_blocking(pipe, True)
        file.write(data)


def _same(path: str, there: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), there)
    except (OSError, ValueError):
        return False


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
