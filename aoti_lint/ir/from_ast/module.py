"""The IR of a whole source, and of one body of it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.ir.from_ast.gaps import row_starts
from aoti_lint.ir.from_ast.later import left_out
from aoti_lint.ir.from_ast.statements import StatementLowering

# What stands before the lines of a body that is parsed by itself; and after them, where the last one goes on.
_HEADER, _END = "if 1:\n", "\n\n"


def lower_module(text: str, data: bytes, path: str, read: Callable[[int, int], nodes.Body]) -> nodes.Module:
    """Lower a source, of which `data` are the bytes; `read` lowers the bodies that are left out.

    Raises what Python's parser does, `ValueError` or `LookupError` for syntax that is not known here, and `TooDeep`.
    """
    tree = ast.parse(text)
    rows = row_starts(data, 0, len(data))
    later = {function: nodes.Later(*place, read) for function, place in left_out(data, rows, tree).items()}
    return nodes.Module(0, len(data), path, StatementLowering(data, rows, later).body(tree.body))


def lower_body(data: bytes, start: int, end: int) -> nodes.Body:
    """Lower the body whose lines stand from `start` to `end`. Raises what `lower_module` does.

    It is parsed once more: that costs little, and to keep the trees of all files would cost memory.
    """
    (block,) = ast.parse(f"{_HEADER}{data[start:end].decode()}{_END}").body
    assert isinstance(block, ast.If)
    return StatementLowering(data, [start, *row_starts(data, start, end)]).function_body(block.body)
