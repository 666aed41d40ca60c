"""Code in Markdown, whatever backticks it holds."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.lazily.regex import regex

_TICKS = regex(r"`+")


def fenced(text: str, language: str) -> Iterator[str]:
    """The lines of a block of code."""
    fence = "`" * max(3, _longest(text) + 1)
    yield from (f"{fence}{language}", *text.rstrip("\n").split("\n"), fence)


def code(text: str) -> str:
    """Text as code in a line."""
    ticks = "`" * (_longest(text) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{blank}{text}{blank}{ticks}"


def _longest(text: str) -> int:
    return max((len(found[0]) for found in _TICKS.finditer(text)), default=0)
