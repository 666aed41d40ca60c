"""Rows and columns of byte offsets, and back."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from aoti_lint.lazily.regex import regex

_NEWLINE = regex(r"\r\n?|\n")


class LineIndex:
    """Translates between UTF-8 byte offsets of a text, rows and columns, and UTF-16 columns.

    Rows and columns are 1-based; columns count code points, or UTF-16 code units where the name says so. Lines end at
    `\\n`, `\\r\\n` or a lone `\\r`, as Python sees them. Offsets outside the text, or inside a character, are moved to
    the nearest place before.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._ascii = text.isascii()
        self._chars = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    @cached_property
    def _bytes(self) -> list[int]:
        """The byte offset at which each line starts."""
        if self._ascii:
            return self._chars
        starts = [0]
        for start, end in zip(self._chars, self._chars[1:], strict=False):
            starts.append(starts[-1] + _size(self.text[start:end]))
        return starts

    @property
    def rows(self) -> int:
        """How many lines there are; the text after the last newline counts as one, even when empty."""
        return len(self._chars)

    def position(self, offset: int) -> tuple[int, int]:
        """Row and code-point column of a byte offset."""
        row, char = self._locate(offset)
        return row + 1, char - self._chars[row] + 1

    def offset(self, row: int, column: int) -> int:
        """Byte offset of a row and code-point column. A column past the end of the line means its end."""
        index = min(max(row, 1), self.rows) - 1
        return self._bytes[index] + _size(self.line_text(index + 1)[: max(column, 1) - 1])

    def byte_to_char(self, offset: int) -> int:
        """Index into the text of a byte offset."""
        return self._locate(offset)[1]

    def char_to_byte(self, index: int) -> int:
        """Byte offset of an index into the text."""
        if self._ascii:
            return index
        row = bisect_right(self._chars, index) - 1
        return self._bytes[row] + _size(self.text[self._chars[row] : index])

    def line_text(self, row: int) -> str:
        """The text of a row, without its newline."""
        start = self._chars[row - 1]
        end = self._chars[row] if row < self.rows else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def _locate(self, offset: int) -> tuple[int, int]:
        """0-based row, and index into the text, of a byte offset."""
        offset = max(offset, 0)
        row = bisect_right(self._bytes, offset) - 1
        start = self._chars[row]
        if self._ascii:
            return row, min(offset, len(self.text))
        end = self._chars[row + 1] if row + 1 < self.rows else len(self.text)
        before = self.text[start:end].encode("utf-8", "surrogatepass")[: offset - self._bytes[row]]
        return row, start + len(before.decode("utf-8", "ignore"))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
