"""A part of a file."""

from __future__ import annotations

from typing import BinaryIO


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
