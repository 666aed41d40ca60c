"""Lines of styled pieces, no wider than the page: they are broken between words, and nowhere else."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.report.columns import width as _width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    Segment: TypeAlias = tuple[str, str]
    """A piece of text and the name of its style; the empty name is plain."""
    Line: TypeAlias = list[Segment]


_COLUMN = regex(r" +\S+(?: \S+)* {2,}(?=\S)")
"""The first of two columns."""


def wrapped(line: Line, width: int, hang: int) -> Iterator[Line]:
    """A line as lines of `width` columns, those after the first behind `hang` blanks. A longer word stays whole."""
    made: Line = []
    column = 0
    for gap, word in _words(line):
        size = sum(_width(text) for text, _ in word)
        if column > hang and column + _width(gap[0]) + size > width:
            yield made
            made, column = [(" " * hang, "")], hang
        else:
            word.insert(0, gap)
            size += _width(gap[0])
        for text, style in word:
            if made and made[-1][1] == style:
                made[-1] = made[-1][0] + text, style
            elif text:
                made.append((text, style))
        column += size
    yield made


def words(text: str, width: int) -> list[str]:
    """The lines of a text that is `width` columns wide."""
    return ["".join(piece for piece, _ in line) for line in wrapped([(text, "")], width, 0)]


def paragraphs(text: str, width: int) -> Iterator[str]:
    """The lines of a text, its paragraphs `width` columns wide. A line that begins with a blank is one of its own."""
    paragraph = ""
    for line in [*text.splitlines(), ""]:
        if line and not line.startswith(" "):
            paragraph = f"{paragraph} {line}" if paragraph else line
            continue
        if paragraph:
            yield from words(paragraph, width)
        paragraph = ""
        yield from _hung(line, width)


def _hung(line: str, width: int) -> Iterator[str]:
    """A line in as many as it needs; those after the first begin where its second column does, or a bit further in."""
    column = _COLUMN.match(line)
    hang = column.end() if column is not None else len(line) - len(line.lstrip()) + 2
    for made in wrapped([(line, "")], width, min(hang, width // 2)):
        yield "".join(piece for piece, _ in made)


def all_wrapped(lines: Iterable[Line], width: int, hang: int) -> Iterator[Line]:
    """The same for several lines."""
    for line in lines:
        yield from wrapped(line, width, hang)


def _words(line: Line) -> Iterator[tuple[Segment, Line]]:
    """The words of a line, each with the blanks before it. A word may change its style."""
    gap, word = ("", ""), list[tuple[str, str]]()
    for text, style in line:
        for index, piece in enumerate(text.split(" ")):
            if index and word:
                yield gap, word
                gap, word = ("", ""), []
            if index:
                gap = gap[0] + " ", style
            if piece:
                word.append((piece, style))
    yield gap, word
