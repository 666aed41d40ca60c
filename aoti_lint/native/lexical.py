"""C++ text without its comments and literals, and the brackets in it.

Registrations and functions are found in the text itself, not in a tree of the whole file: macros, `<<<…>>>` and the
arms of `#if` make a parser of C++ lose its way over long stretches of a file. Only what was found is parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from aoti_lint.lazily.regex import regex

_LITERAL = regex(
    rb"""//(?:[^\\\n]|\\(?:\r?\n|.))*
    |/\*.*?(?:\*/|\Z)
    |\b(?:u8|u|U|L)?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z)
    |"(?:[^"\\\n]|\\(?:\r?\n|.))*(?:"|(?=\n)|\Z)
    |(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.){1,200}'
    """,
    re.VERBOSE | re.DOTALL,
)
MAX_MARKS = 2_000_000
"""Brackets that are passed in one text on the ways to those that close others: of a real one, each some times."""

_VISIBLE = regex(rb"[^\r\n]")
_STRUCTURE = regex(rb"[(){}\[\]]|^[ \t]*#[ \t]*(if|else|elif|endif)", re.MULTILINE)
_OPEN, _CLOSE = b"([{", b")]}"
_CALLED = regex(rb"(?<![\w.>~&])\w+(?=\s*[<(])")


class SpentMarks(Exception):
    """The brackets of a text are too many, or too few of them closed, to follow it to its end."""


class Text:
    """One C++ text: `data` as it is, `code` with blanks for comments, `masked` with blanks for what quotes hold, too.

    All three have the same length and the same newlines.
    """

    __slots__ = ("_arms", "_called", "_marks", "code", "data", "masked")

    def __init__(self, data: bytes) -> None:
        self.data = data
        code: list[bytes] = []
        masked: list[bytes] = []
        done = 0
        for found in _LITERAL.finditer(data):
            start, end = found.span()
            between, text = data[done:start], found[0]
            blank = _VISIBLE.sub(b" ", text)
            code += between, blank if text[:2] in (b"//", b"/*") else text
            # One that is not closed ends with its line or the text, in any letter.
            last = text[-1:] if text[-1:] in (b'"', b"'") else blank[-1:]
            quoted = text[:1] + blank[1:-1] + last if len(text) > 1 else text
            masked += between, blank if text[:2] in (b"//", b"/*") else quoted
            done = end
        self._arms: list[tuple[int, int]] | None = None
        self._called: dict[bytes, list[int]] | None = None
        self._marks = 0
        self.code = b"".join(code) + data[done:]
        self.masked = b"".join(masked) + data[done:]

    def conditional(self, index: int) -> bool:
        """Whether a place stands between `#if` and `#endif`."""
        if self._arms is None:
            self._arms = []
            opened: list[int] = []
            for found in _STRUCTURE.finditer(self.masked):
                if found[1] == b"if":
                    opened.append(found.start())
                elif found[1] == b"endif" and opened:
                    start = opened.pop()
                    if not opened:
                        self._arms.append((start, found.end()))
        place = bisect_right(self._arms, index, key=lambda arm: arm[0]) - 1
        return place >= 0 and index < self._arms[place][1]

    def closing(self, start: int, end: int | None = None) -> int | None:
        """Where the bracket at `start` closes; None if it does not before `end`.

        The arms of an `#if` may each open what is closed once, after `#endif`: only the last arm counts. Raises
        `SpentMarks`.
        """
        stack: list[int] = []
        arms: list[list[int]] = []
        for found in _STRUCTURE.finditer(self.masked, start, len(self.masked) if end is None else end):
            self.charge(1)
            word = found[1]
            if word is None:
                letter = self.masked[found.start()]
                if letter in _OPEN:
                    stack.append(letter)
                elif stack:
                    stack.pop()
                    if not stack:
                        return found.start()
            elif word == b"if":
                arms.append(list(stack))
            elif word == b"endif":
                if arms:
                    arms.pop()
            elif arms:
                stack = list(arms[-1])
        return None

    def charge(self, count: int) -> None:
        """Count work like that of passing so many brackets. Raises `SpentMarks` past the limit of the text."""
        self._marks += count
        if self._marks > MAX_MARKS:
            raise SpentMarks

    def calls(
        self, pattern: re.Pattern[bytes], start: int = 0, end: int | None = None
    ) -> Iterator[tuple[re.Match[bytes], int, int]]:
        """Where `pattern`, which ends in an opening bracket, is found, with the places of that bracket and its end."""
        stop = len(self.masked) if end is None else end
        for found in pattern.finditer(self.masked, start, stop):
            close = self.closing(found.end() - 1, stop)
            if close is not None:
                yield found, found.end() - 1, close

    def called(self, word: bytes) -> list[int]:
        """Where `word` stands before a bracket or the arguments of a template, and is no member of something."""
        if self._called is None:
            self._called = {}
            for found in _CALLED.finditer(self.masked):
                self._called.setdefault(found[0], []).append(found.start())
        return self._called.get(word, [])

    def split(self, start: int, end: int) -> list[bytes]:
        """What commas part between `start` and `end`, without blanks around; brackets hold together."""
        self.charge((end - start) // 10)
        parts: list[bytes] = []
        depth, begin = 0, start
        for index in range(start, end):
            letter = self.masked[index]
            if letter in _OPEN:
                depth += 1
            elif letter in _CLOSE:
                depth -= 1
            elif letter == 0x2C and depth == 0:
                parts.append(self.code[begin:index].strip())
                begin = index + 1
        last = self.code[begin:end].strip()
        return [*parts, last] if parts or last else []

    def after(self, index: int) -> int:
        """The next place from `index` on that is no blank."""
        while index < len(self.masked) and self.masked[index : index + 1].isspace():
            index += 1
        return index
