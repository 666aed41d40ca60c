"""A part of a file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Window:
    """A part of a file that is read like a file of its own."""

    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        self._file, self._start, self.length = file, start, length

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer at the end."""
        if offset < 0 or offset >= self.length:
            return b""
        self._file.seek(self._start + offset)
        return self._file.read(min(length, self.length - offset))

    def file(self) -> BinaryIO:
        """The same as a file that can be read and searched."""
        return io.BufferedReader(_Raw(self))


class _Raw(io.RawIOBase):
    def __init__(self, window: Window) -> None:
        self._window, self._at = window, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._window.length}[whence]
        if base + offset < 0:
            raise ValueError("before the start of the file")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._window.read(self._at, len(view))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)
