"""Which bodies of functions are lowered when somebody asks for them.

Most functions of a large file are never followed, and making their IR is what an analysis spends most of its time on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from aoti_lint.ir.from_ast.gaps import line_with

# Bytes of a body below which leaving it out saves nothing.
_SMALLEST = 150


def left_out(data: bytes, rows: list[int], module: ast.Module) -> dict[ast.AST, tuple[int, int]]:
    """The functions and methods whose body is left out, with the whole lines it stands on.

    Functions in functions and in loops are left as they are.
    """
    found: dict[ast.AST, tuple[int, int]] = {}
    for function in _functions(module.body):
        place = _lines(data, rows, function.body)
        if place is not None:
            found[function] = place
    return found


def _functions(statements: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that are defined directly in these statements, in their order."""
    for one in statements:
        match one:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield one
            case ast.ClassDef(body=body) | ast.With(body=body):
                yield from _functions(body)
            case ast.If(body=body, orelse=orelse):
                yield from _functions(body)
                yield from _functions(orelse)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                yield from _functions(body)
                for handler in handlers:
                    yield from _functions(handler.body)
                yield from _functions(orelse)
                yield from _functions(final)


def _lines(data: bytes, rows: list[int], body: list[ast.stmt]) -> tuple[int, int] | None:
    """The lines of a body; None if they are too short, or if they cannot be read without those before them."""
    first = body[0]
    row, place = first.lineno, rows[first.lineno] + first.col_offset
    decorators = getattr(first, "decorator_list", None)
    if decorators:
        row, before = decorators[0].lineno, rows[decorators[0].lineno] + decorators[0].col_offset
        place = line_with(data, rows, row, before, b"@")
        while rows[row] > place:
            row -= 1
    start = rows[row]
    last = (body[-1].end_lineno or row) + 1
    end = rows[last] if last < len(rows) else len(data)
    while end > start and data[end - 1] in b"\r\n":
        end -= 1
    if end - start < _SMALLEST:
        return None
    if data[start:place].strip(b" \t\f") or data[max(start - 3, 0) : start].rstrip(b"\r\n").endswith(b"\\"):
        # It stands behind the colon of the header, or on a line that goes on.
        return None
    return start, end
