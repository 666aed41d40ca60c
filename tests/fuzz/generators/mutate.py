"""Changes texts: bytes, words and lines changed, moved, doubled, gone, and what comes once comes often or deep."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
_VALUE = re.compile(rb"\b\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|(?<=\s)(?:[-+*/%@]|//|\*\*|==|<|>=|and|or|in|is)(?=\s)")
_ODD_NUMBERS = (
    b"0", b"-1", b"1", b"10**9", b"2**63", b"2**64 - 1", b"1e308", b"0.5", b"float('nan')", b"float('inf')",
    b"10**400", b"(1, 2)", b"None", b"True",
    b"1j", b"-2**63", b"(lambda: 3)()", b"len(x)", b"x.shape[0]", b"int('9' * 5000)", b"1 << 10000", b"[0] * 10**9",
    b"range(10**12)", b"'x' * 10**9",
)  # fmt: skip
_ODD_TEXTS = (
    b"''", b"'\\0'", b"'\\ud800'", b"b'\\xff'", b"'x' * 10**9", b"f'{x}'", b"'%s' % (x,)", b"'{}{0}'.format(1)",
    b"'cuda:99999999999999999999'", b"'::error ::'",
    b"'../' * 90", b"'/dev/zero'", b"'cpu'", b"'cuda'", b"None", b"1", b"'a\\nb'", b"'\\x1b]0;x\\x07'",
    b"'model.pt2'", b"str(x)", b"'%999999999d' % 1", b"f'{1:999999999}'",
    b"'x'.ljust(10**9)", b"'a' 'b'", b"'{:>{}}'.format(1, 10**9)", b"' '.join(['a'] * 10**8)",
)  # fmt: skip
_OPERATORS = (
    b"+",
    b"-",
    b"*",
    b"//",
    b"%",
    b"**",
    b"<<",
    b">>",
    b"@",
    b"/",
    b"==",
    b"<",
    b"in",
    b"is not",
    b"and",
    b"or",
    b"|",
    b"^",
)
SPICE: Sequence[bytes] = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[31m", b"\r", b"\x0c", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\\",
        b"'''", b'"""',
    b"(", b"]", b"{", b"${", b"$(", b"`", b"%s", b"{}", b"{{", b"*", b"**", b":=", b"->", b"@", b"=", b"~", b"...",
        b"#", b"/*", b"//",
    b"\\\n", b"\n\t", b"9" * 30, b"-1", b"0", b"1e999", b"nan", b"0x", b"1_0", b"None", b"lambda: 0", b"await ",
    b"yield ", b"async ",
    b"not ", b"del x", b"global x", b"return", b"import os", b"from . import *", b"\xc3\xa9\xc3\xa9",
    b"\xf0\x9f\x98\x80", b"# aoti-lint: ignore",
    b"# aoti-lint: ignore[AOTI301]", b"# coding: utf-7", b"# -*- coding: latin-1 -*-", b"\n\n", b"::error ::x",
    b"<<EOF",
)  # fmt: skip


def changed(data: bytes, numbers: Random, others: Sequence[bytes] = ()) -> bytes:
    """`data` changed once to some times; `others` are texts of its kind to take pieces of."""
    for _ in range(numbers.choice((1, 1, 1, 2, 2, 3, 6))):
        data = numbers.choice(WAYS)(data, numbers, others)
    return data[: 1 << 18]


def _spiced(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    at = numbers.randint(0, len(data))
    return data[:at] + numbers.choice(SPICE) + data[at + numbers.choice((0, 0, 1, 5)) :]


def _bit(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    if not data:
        return b"x"
    made = bytearray(data)
    for _ in range(numbers.choice((1, 1, 4, 20))):
        made[numbers.randrange(len(made))] = numbers.randrange(256)
    return bytes(made)


def _cut(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    start, end = sorted((numbers.randint(0, len(data)), numbers.randint(0, len(data))))
    return numbers.choice((data[:start], data[start:end], data[:start] + data[end:], data + data[start:end]))


def _token(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    """A word gone, doubled, changed for another of the text."""
    tokens = _TOKEN.findall(data)
    if not tokens:
        return data
    for _ in range(numbers.choice((1, 1, 2, 5))):
        at, other = numbers.randrange(len(tokens)), numbers.randrange(len(tokens))
        match numbers.randrange(5):
            case 0:
                tokens[at] = b""
            case 1:
                tokens[at] *= 2
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = tokens[other]
            case _:
                tokens[at] = numbers.choice(SPICE)
    return b"".join(tokens)


def _value(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    """A number, a text or an operator changed for one that few would write."""
    places = list(_VALUE.finditer(data))
    for place in sorted(
        numbers.sample(places, min(len(places), numbers.choice((1, 1, 3)))), key=lambda one: -one.start()
    ):
        old = place[0]
        new = numbers.choice(_ODD_NUMBERS if old[:1].isdigit() else _ODD_TEXTS if old[:1] in b"\"'" else _OPERATORS)
        data = data[: place.start()] + new + data[place.end() :]
    return data


def _lines(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    """Lines gone, doubled, moved, in and out, or from another text."""
    lines = data.split(b"\n")
    at, end = sorted((numbers.randrange(len(lines)), numbers.randrange(len(lines))))
    end = min(end, at + numbers.choice((1, 3, 20)))
    match numbers.randrange(6):
        case 0:
            del lines[at:end]
        case 1:
            lines[at:at] = lines[at:end]
        case 2:
            piece = lines[at:end]
            del lines[at:end]
            where = numbers.randint(0, len(lines))
            lines[where:where] = piece
        case 3:
            lines[at:end] = [b"    " + line for line in lines[at:end]]
        case 4:
            lines[at:end] = [line.removeprefix(b"    ") for line in lines[at:end]]
        case _:
            other = numbers.choice(others).split(b"\n") if others else lines
            start = numbers.randrange(len(other))
            lines[at:at] = other[start : start + numbers.choice((1, 5, 30))]
    return b"\n".join(lines)


def _often(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    """A line or a word very often."""
    times = numbers.choice((10, 100, 700))
    if numbers.randrange(2):
        lines = data.split(b"\n")
        at = numbers.randrange(len(lines))
        lines[at:at] = [lines[at]] * times
        return b"\n".join(lines)
    tokens = _TOKEN.findall(data) or [b"x"]
    at = numbers.randrange(len(tokens))
    return b"".join((*tokens[:at], b"".join(tokens[at : at + numbers.choice((1, 2, 4))]) * times, *tokens[at:]))


def _deep(data: bytes, numbers: Random, others: Sequence[bytes]) -> bytes:
    """A word in very many brackets, or behind very many signs."""
    tokens = _TOKEN.findall(data) or [b"x"]
    at = numbers.randrange(len(tokens))
    times = numbers.choice((3, 30, 90, 300, 3000))
    before, after = numbers.choice(
        ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"f(", b")"), (b"-", b""), (b"not ", b""), (b"x.", b""), (b"",
            b".x"), (b"", b"[0]"),
         (b"", b"()"), (b"1 + ", b""), (b"{1: ", b"}"), (b"lambda: ", b""), (b"x if x else ", b""), (b"(", b""),
             (b"$(", b")"), (b"<", b">"))
    )  # fmt: skip
    return b"".join((*tokens[:at], before * times, tokens[at], after * times, *tokens[at + 1 :]))


WAYS: Sequence[Callable[[bytes, Random, Sequence[bytes]], bytes]] = (
    _spiced, _spiced, _value, _value, _value, _bit, _cut, _token, _token, _token, _lines, _lines, _lines, _often, _deep,
)  # fmt: skip
