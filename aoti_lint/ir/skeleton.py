"""A source without the bodies of its functions.

Most functions of a large file are never followed, and parsing them is what an analysis spends most of its time on. The
skeleton is the text with these bodies blanked out, of the same length, so that all places stay the same. Python's own
parser, ten times as fast as the one that makes the IR, says where the bodies are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex

_NEWLINE = regex(rb"\r\n?|\n")

# Bytes of a body below which leaving it out saves nothing.
_SMALLEST = 150

_UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(slots=True)
class Blank:
    """A body that was left out: the whole lines from `start` to `end`, the last of its statements ending at `last`.

    A `0` stands in its place at `stub`. All are UTF-8 byte offsets.
    """

    start: int
    end: int
    last: int
    stub: int


def skeleton(text: str) -> tuple[str, list[Blank]] | None:
    """The text without the bodies of functions and methods, and what was left out; None if Python cannot parse it.

    Functions in functions and in loops are left as they are.
    """
    try:
        tree = ast.parse(text)
        data = text.encode()
    except _UNPARSABLE:
        return None
    lines = [0, *(found.end() for found in _NEWLINE.finditer(data))]
    blanks = [blank for body in _bodies(tree.body) if (blank := _blank(data, lines, body)) is not None]
    pieces, done = [], 0
    for blank in blanks:
        pieces += [data[done : blank.stub], b"0", b" " * (blank.end - blank.stub - 1)]
        done = blank.end
    pieces.append(data[done:])
    return b"".join(pieces).decode(), blanks


def _bodies(statements: Iterable[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The bodies of the functions that are defined directly in these statements, in their order."""
    for one in statements:
        match one:
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
                yield body
            case ast.ClassDef(body=body) | ast.With(body=body):
                yield from _bodies(body)
            case ast.If(body=body, orelse=orelse):
                yield from _bodies(body)
                yield from _bodies(orelse)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                yield from _bodies(body)
                for handler in handlers:
                    yield from _bodies(handler.body)
                yield from _bodies(orelse)
                yield from _bodies(final)


def _blank(data: bytes, lines: list[int], body: list[ast.stmt]) -> Blank | None:
    """The place of a body; None if it is too short, or does not have its lines for itself."""
    first = body[0]
    decorators = getattr(first, "decorator_list", None)
    row = decorators[0].lineno if decorators else first.lineno
    last_row = body[-1].end_lineno or row
    start = lines[row - 1]
    end = lines[last_row] if last_row < len(lines) else len(data)
    while end > start and data[end - 1] in b"\r\n":
        end -= 1
    if end - start < _SMALLEST:
        return None
    indent = len(data[start:end]) - len(data[start:end].lstrip(b" \t\f"))
    if decorators is None and indent != first.col_offset:
        # It stands behind the colon of the header.
        return None
    return Blank(start, end, lines[last_row - 1] + (body[-1].end_col_offset or 0), start + indent)
