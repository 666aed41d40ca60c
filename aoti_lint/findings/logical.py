"""Logical lines and comments of a source: where a suppression comment may stand, and what it stands for.

Needed only for files with a finding, or with the words of a suppression.
"""

from __future__ import annotations

import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress

from aoti_lint.lazily.regex import regex
from aoti_lint.text.lines import LineIndex

_HASH = regex(r"(?<!\S)#.*")
_SLASHES = regex(r"(?<![\S:])//.*")
_NO_CODE = frozenset(
    (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.ENCODING)
)


class Comment:
    """A comment, with the 1-based row and column it starts at."""

    __slots__ = ("column", "row", "text")

    def __init__(self, row: int, column: int, text: str) -> None:
        self.row, self.column, self.text = row, column, text


class LogicalLines:
    """The statements of a source as ranges of rows.

    A compound statement counts with its header only; decorators belong to the header they stand over. What cannot be
    tokenized ends the list: rows after it stand for themselves.
    """

    def __init__(self, lines: LineIndex) -> None:
        self.comments: list[Comment] = []
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        with suppress(tokenize.TokenError, SyntaxError):
            self._read(lines)

    def rows(self, row: int) -> range:
        """The rows of the logical line that holds `row`."""
        index = bisect_right(self._firsts, row) - 1
        if index >= 0 and row <= self._lasts[index]:
            return range(self._firsts[index], self._lasts[index] + 1)
        return range(row, row + 1)

    def _read(self, lines: LineIndex) -> None:
        first: int | None = None
        at_start, is_decorator = True, False
        for token in tokenize.generate_tokens(reader(lines).__next__):
            if token.type == tokenize.COMMENT:
                self.comments.append(Comment(token.start[0], token.start[1] + 1, token.string))
            elif token.type == tokenize.NEWLINE:
                if first is not None and not is_decorator:
                    self._firsts.append(first)
                    self._lasts.append(token.start[0])
                    first = None
                at_start = True
            elif token.type not in _NO_CODE and at_start:
                first = token.start[0] if first is None else first
                at_start, is_decorator = False, token.string == "@"


class PlainLines:
    """The lines and comments of a file that is no Python: shell, Dockerfiles, YAML, or C++ (`slashes`).

    Every line stands for itself. A comment alone on its line stands for the next one, too: a Dockerfile has no others.
    """

    def __init__(self, lines: LineIndex, *, slashes: bool = False) -> None:
        mark = _SLASHES if slashes else _HASH
        self.comments: list[Comment] = []
        alone: list[int] = []
        for row in range(1, lines.rows + 1):
            found = mark.search(lines.line_text(row))
            if found is not None:
                self.comments.append(Comment(row, found.start() + 1, found[0]))
                if not lines.line_text(row)[: found.start()].strip():
                    alone.append(row)
        # Upwards: comments below each other all speak of the line after the last of them.
        self._last: dict[int, int] = {}
        for row in reversed(alone):
            self._last[row] = self._last.get(row + 1, row + 1)

    def rows(self, row: int) -> range:
        """The rows a comment in `row` speaks of."""
        return range(row, self._last.get(row, row) + 1)


def reader(lines: LineIndex) -> Iterator[str]:
    """The rows with one kind of newline, so that rows are counted as everywhere else."""
    for row in range(1, lines.rows + 1):
        yield lines.line_text(row) + "\n"
