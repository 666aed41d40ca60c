r"""Terminals and logs: every line that a command prints.

A plain `str` in a line is shown, never obeyed: control characters, turned text and what is not seen are written out
(`\x1b`, `\u202e`), a newline is `\n` and starts no line, and no line is a command of a CI service. `Shown` passes as it
is.
"""

from __future__ import annotations

import sys

from aoti_lint.quoting.marked import Marked, commands, hidden, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, TextIO

TAB: Final = 4
"""Blanks that a tab is shown as."""


class Shown(Marked):
    """Text that a terminal shows as it stands."""

    __slots__ = ()


WIPE: Final = Shown("\r\x1b[K")
"""Goes back to the start of the line and empties it."""


def visible(text: str) -> Shown:
    """`text` on one line, with nothing in it that is obeyed or not seen."""
    if isinstance(text, Shown):
        return text
    if text.isascii() and text.isprintable():
        return Shown(text)
    return Shown("".join(" " * TAB if char == "\t" else named(char) if hidden(char) else char for char in text))


def fitted(pieces: Iterable[str]) -> list[Shown]:
    """The pieces of one line, none of which makes it a command of a CI service."""
    shown = [visible(text) for text in pieces]
    for place in sorted(commands("".join(shown)), reverse=True):
        at = place
        for index, text in enumerate(shown):
            if at < len(text):
                shown[index] = Shown(text[:at] + named(text[at]) + text[at + 1 :])
                break
            at -= len(text)
    return shown


def line(*pieces: str) -> Shown:
    """A whole line."""
    return Shown("".join(fitted(pieces)))


def lines(text: str) -> list[Shown]:
    """Text of several lines that is ours, or whose lines may be lines."""
    return [line(each.rstrip("\r")) for each in text.split("\n")]


def as_it_stands(text: str) -> str:
    """`text`, whose lines are shown as they are. Raises `ValueError` for one that is not."""
    for number, each in enumerate(text.split("\n"), 1):
        if line(each) != each:
            raise ValueError(f"line {number} is not fit to be shown: {line(each)}")
    return text


def write(stream: TextIO, text: Marked) -> None:
    """Write what was quoted. A character that the stream's encoding lacks does not end the run."""
    try:
        stream.write(text)
    except UnicodeEncodeError as error:
        stream.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))


def tell(*pieces: str, end: str = "\n") -> None:
    """A line on standard error."""
    write(sys.stderr, Shown(line(*pieces) + end))
    sys.stderr.flush()


def status(text: str, *, stays: bool = False) -> None:
    """A line that the next takes the place of, unless it `stays`; wiped out if it is empty. On terminals only."""
    if sys.stderr.isatty():
        shown = line(text[:100])
        write(sys.stderr, Shown(WIPE + shown + ("\n" if stays else "\r" if text else "")))
        sys.stderr.flush()


def printable(text: str) -> str:
    """`text` with what is obeyed or not seen written out; its lines stay lines."""
    return "\n".join(map(visible, text.split("\n")))
