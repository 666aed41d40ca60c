"""How wide text is on a screen: tabs, wide and combining characters, and characters that are written out."""

from __future__ import annotations

from aoti_lint.quoting.marked import hidden, named
from aoti_lint.quoting.terminal import TAB


def shown(text: str) -> tuple[str, list[int]]:
    """Make one line of source fit to print.

    Gives the text with tabs expanded and what is obeyed or not seen written out (see `quoting.marked`), and the screen
    column at which each code point of the original starts, with the total width last.
    """
    if text.isascii() and text.isprintable():
        return text, list(range(len(text) + 1))
    from unicodedata import combining, east_asian_width

    out: list[str] = []
    starts: list[int] = []
    column = 0
    for char in text:
        starts.append(column)
        if char == "\t":
            width = TAB - column % TAB
            out.append(" " * width)
        elif hidden(char):
            width = len(named(char))
            out.append(named(char))
        else:
            width = 0 if combining(char) else 2 if east_asian_width(char) in "FW" else 1
            out.append(char)
        column += width
    starts.append(column)
    return "".join(out), starts


def width(text: str) -> int:
    """How many screen columns a text takes."""
    return shown(text)[1][-1]


def cut(text: str, start: int, end: int) -> str:
    """The part of printable `text` between two screen columns; half of a wide character becomes a blank."""
    columns = shown(text)[1]
    out: list[str] = []
    for index, char in enumerate(text):
        left, right = columns[index], columns[index + 1]
        if start <= left and right <= end:
            out.append(char)
        elif left < end and right > start:
            out.append(" ")
    return "".join(out)


def joined(text: str) -> str:
    """What was said in several lines, in one."""
    return " ".join(text.splitlines())
