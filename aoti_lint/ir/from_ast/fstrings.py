"""Reads f-strings and t-strings piece by piece.

Python's tree joins texts that stand beside each other, and before 3.12 it has no places for what stands in an f-string.
So they are read once more here; that they are right, Python has seen before: `ValueError` where they are not, as this
reads them. All places are byte offsets.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias

from aoti_lint.ir.from_ast.gaps import after_blank, matched
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex

_PREFIX = rb"(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])?"
_OPENING = regex(rb"(" + _PREFIX + rb")('''|\"\"\"|'|\")")
_CODE = regex(rb"#[^\r\n]*|(?:(?<![0-9A-Za-z_])" + _PREFIX + rb")['\"]|['\"]|[=!<>]=|[(\[{}\])!:=]")
_CONVERSION = regex(rb"[A-Za-z]+")


@dataclass(slots=True)
class Field:
    """A replacement field: `code` ends where `=`, the conversion, the specification or the field does.

    `shown` is where the text ends that an `=` shows; `spec` is None without a colon.
    """

    start: int
    code: int
    shown: int | None = None
    conversion: str | None = None
    spec: list[Piece] | None = None
    end: int = 0


Piece: TypeAlias = "tuple[int, int] | Field"
"""A text, from where to where, or a field."""


@dataclass(slots=True)
class Literal:
    """One literal: `pieces` is None of a plain string."""

    start: int
    end: int
    opening: str
    pieces: list[Piece] | None = None


def literals_of(data: bytes, start: int, end: int) -> list[Literal]:
    """The literals that stand beside each other between two places."""
    found: list[Literal] = []
    while start < end:
        found.append(_literal(data, start))
        start = after_blank(data, found[-1].end)
    return found


def _literal(data: bytes, start: int) -> Literal:
    opening = matched(_OPENING, data, start)
    prefix, quote = opening[1].lower(), opening[2]
    if b"f" in prefix or b"t" in prefix:
        pieces, last = _pieces(data, opening.end(), quote, b"r" in prefix)
        return Literal(start, last + len(quote), opening[0].decode(), pieces)
    return Literal(start, matched(_plain(quote), data, opening.end()).end(), opening[0].decode())


def _pieces(data: bytes, start: int, end: bytes, is_raw: bool) -> tuple[list[Piece], int]:
    """What stands from `start` up to the quotes, or the brace of a specification, that `end` it; and where these do."""
    pieces: list[Piece] = []
    special = _special(end, is_raw)
    place = start
    while True:
        found = _next(special, data, place)
        place = found.end()
        if found[0] not in (b"{", end):
            continue
        if found.start() > start:
            pieces.append((start, found.start()))
        if found[0] == end:
            return pieces, found.start()
        field = _field(data, found.start(), is_raw)
        pieces.append(field)
        start = place = field.end


def _field(data: bytes, start: int, is_raw: bool) -> Field:
    after = _after_code(data, start + 1)
    field = Field(start, after)
    if data[after] == _EQUAL:
        field.shown = after = after_blank(data, after + 1)
    if data[after] == _EXCLAMATION:
        conversion = matched(_CONVERSION, data, after_blank(data, after + 1))
        field.conversion, after = conversion[0].decode(), after_blank(data, conversion.end())
    if data[after] == _COLON:
        field.spec, after = _pieces(data, after + 1, b"}", is_raw)
    field.end = after + 1
    return field


def _after_code(data: bytes, place: int) -> int:
    """Where the expression of a field ends."""
    depth = 0
    while True:
        found = _next(_CODE, data, place)
        place, token = found.end(), found[0]
        if token[-1] in _QUOTES and token[0] != _HASH:
            place = _literal(data, found.start()).end
        elif token in _OPENED:
            depth += 1
        elif depth and token in _CLOSED:
            depth -= 1
        elif not depth and token in _AFTER_CODE:
            return found.start()


def _next(pattern: re.Pattern[bytes], data: bytes, place: int) -> re.Match[bytes]:
    found = pattern.search(data, place)
    if found is None:
        raise ValueError("an f-string does not end")
    return found


_QUOTES, _HASH, _EQUAL, _EXCLAMATION, _COLON = b"'\"", ord("#"), ord("="), ord("!"), ord(":")
_OPENED = frozenset({b"(", b"[", b"{"})
_CLOSED = frozenset({b")", b"]", b"}"})
_AFTER_CODE = frozenset({b"=", b"!", b":", b"}"})


@cache
def _plain(quote: bytes) -> re.Pattern[bytes]:
    """The rest of a plain string."""
    return re.compile(rb"(?:\\.|[^\\])*?" + quote, re.DOTALL)


@cache
def _special(end: bytes, is_raw: bool) -> re.Pattern[bytes]:
    """What is not just text where `end` ends it: escapes, braces that stand for themselves, the start of a field."""
    escape = rb"\\[^{}]" if is_raw else rb"\\(?:N\{[^{}]*\}|[^{}])"
    # In a specification a brace never stands for itself.
    braces = rb"\{" if end == b"}" else rb"\{\{|\}\}|\{"
    return re.compile(escape + b"|" + braces + b"|" + end, re.DOTALL)
