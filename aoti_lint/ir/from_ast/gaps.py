"""What stands between the nodes of Python's tree, which says nothing of it: brackets, keywords, white space.

All places are offsets into the bytes of a source that Python has parsed. Where what has to stand there does not, it is
syntax that is not known here: `ValueError` or `LookupError`.
"""

from __future__ import annotations

import re

from aoti_lint.lazily.regex import regex

NEWLINE = regex(rb"\r\n?|\n")
# A comment ends with its line: else one of many `#` could be read in as many ways.
_SPACE = rb"(?:[ \t\f\r\n\\]|#[^\r\n]*(?![^\r\n]))"
_BLANK = regex(_SPACE + rb"*")
_OPEN = regex(rb"#[^\r\n]*|\(")
_CLOSE = regex(_SPACE + rb"*\)")
_FOR = regex(rb"(?:\)|" + _SPACE + rb")*(?:async" + _SPACE + rb"+)?for")
_HEADER = regex(rb"(?:async" + _SPACE + rb"+)?(?:def|class|with)" + _SPACE + rb"*")


def row_starts(data: bytes, start: int, end: int) -> list[int]:
    """Where each row of a part of the source starts, by its number; rows are counted from 1."""
    return [start, start, *(found.end() for found in NEWLINE.finditer(data, start, end))]


def opened(data: bytes, start: int, end: int) -> list[int]:
    """Where each `(` of a gap stands."""
    return [found.start() for found in _OPEN.finditer(data, start, end) if found[0] == b"("]


def closed(data: bytes, start: int) -> list[int]:
    """Where each `)` ends that follows at once."""
    ends: list[int] = []
    while found := _CLOSE.match(data, start):
        start = found.end()
        ends.append(start)
    return ends


def around(data: bytes, before: int, start: int, end: int, others: int = 0) -> tuple[int, int]:
    """A place with the parentheses around it. `others` of those that open since `before` belong to something else."""
    if data.count(b"(", before, start) == others:
        return start, end
    own = opened(data, before, start)[others:]
    return (own[0], closed(data, end)[len(own) - 1]) if own else (start, end)


def matched(pattern: re.Pattern[bytes], data: bytes, start: int) -> re.Match[bytes]:
    """What a pattern describes. Raises `ValueError` where it does not stand there."""
    found = pattern.match(data, start)
    if found is None:
        raise ValueError("this does not stand there")
    return found


def after_blank(data: bytes, start: int) -> int:
    """Where what is no white space and no comment begins."""
    return matched(_BLANK, data, start).end()


def after_for(data: bytes, start: int) -> int:
    """Where the `for` of a comprehension ends that follows what ends at `start`."""
    return matched(_FOR, data, start).end()


def after_header(data: bytes, start: int) -> int:
    """Where what follows the `def`, `class` or `with` of a statement begins."""
    return matched(_HEADER, data, start).end()


def line_with(data: bytes, rows: list[int], row: int, before: int, word: bytes) -> int:
    """Where the last `word` stands that begins a line up to `row`, before a place that only brackets divide it from."""
    while True:
        start = rows[row]
        while data[start : start + 1] in (b" ", b"\t", b"\f"):
            start += 1
        if start < before and data.startswith(word, start):
            return start
        row -= 1
