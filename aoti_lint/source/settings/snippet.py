"""A text taken out of a file, and where each of its characters stands there."""

from __future__ import annotations

from bisect import bisect_right

from aoti_lint.diagnostics import Span
from aoti_lint.text.lines import LineIndex


class Snippet:
    """Some text of the file at `path`, with the rows of that file.

    `parts` are pairs of an index into `text` and the index into the file of the character there; what follows stands
    next to it. Without parts, all of the text stands at `whole`.
    """

    __slots__ = ("_starts", "lines", "parts", "path", "text", "whole")

    def __init__(
        self, path: str, lines: LineIndex, text: str, parts: list[tuple[int, int]], whole: Span | None = None
    ) -> None:
        self.path, self.lines, self.text, self.parts, self.whole = path, lines, text, parts, whole
        self._starts = [start for start, _ in parts]

    def span(self, start: int, end: int) -> Span:
        """The place of `text[start:end]` in the file."""
        if self.whole is not None:
            return self.whole
        first = self._at(start)
        last = self._at(end - 1) + 1 if end > start else first
        return Span(self.path, self.lines.char_to_byte(first), self.lines.char_to_byte(last))

    def _at(self, index: int) -> int:
        start, place = self.parts[max(bisect_right(self._starts, index) - 1, 0)]
        return min(place + index - start, len(self.lines.text))
