"""How wide text is on a screen: tabs, wide and combining characters, and characters that must not reach a terminal."""

from __future__ import annotations

TAB = 4


def shown(text: str) -> tuple[str, list[int]]:
    """Make one line of source fit to print.

    Gives the text with tabs expanded and control characters replaced, and the screen column at which each code point of
    the original starts, with the total width last. Bidirectional controls are replaced too: they could make a frame
    show other code than the file holds.
    """
    if text.isascii() and text.isprintable():
        return text, list(range(len(text) + 1))
    from unicodedata import category, combining, east_asian_width

    out: list[str] = []
    starts: list[int] = []
    column = 0
    for char in text:
        starts.append(column)
        if char == "\t":
            width = TAB - column % TAB
            out.append(" " * width)
        elif category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            width = 1
            out.append("\N{REPLACEMENT CHARACTER}")
        else:
            width = 0 if combining(char) else 2 if east_asian_width(char) in "FW" else 1
            out.append(char)
        column += width
    starts.append(column)
    return "".join(out), starts


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
