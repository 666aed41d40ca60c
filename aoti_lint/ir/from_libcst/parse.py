"""From text to a libcst tree and the places of its nodes, or a `SourceProblem`."""

from __future__ import annotations

import ast

import libcst as cst

from aoti_lint.ir.from_libcst.depth import is_too_deep
from aoti_lint.ir.from_libcst.spans import Spans
from aoti_lint.lazily.regex import regex
from aoti_lint.text.lines import LineIndex
from aoti_lint.text.problem import SourceProblem

_ROW_AND_COLUMN = regex(r"error at (\d+):(\d+)")


def parse(text: str, path: str) -> tuple[cst.Module, Spans]:
    """Parse `text` and find the places of its nodes.

    Raises `SourceProblem` if it is not Python, or if the tree does not stand for the text byte by byte;
    `RecursionError` if it is nested too deeply.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        offset = len(text[: error.start].encode())
        raise SourceProblem(path, "the text holds half of a surrogate pair", offset) from None
    if is_too_deep(text):
        raise RecursionError("an expression is nested too deeply")
    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, cst.CSTValidationError) as error:
        raise _syntax_problem(text, path, str(error)) from None
    try:
        return module, Spans(module, text)
    except ValueError:
        message = "the parser does not keep the text as it is, so no place in it could be trusted"
        raise SourceProblem(path, message) from None


def _syntax_problem(text: str, path: str, found_by_libcst: str) -> SourceProblem:
    """Describe a syntax error, in Python's own words if these are not about a syntax it is too old for.

    That is so when Python gets as far as libcst did; an open bracket is told at its start.
    """
    lines = LineIndex(text)
    found = _ROW_AND_COLUMN.search(found_by_libcst)
    offset = lines.offset(int(found[1]), int(found[2])) if found else None
    try:
        ast.parse(text)
    except SyntaxError as python:
        row = python.lineno
        if row is not None and (found is None or row >= int(found[1]) or "never closed" in python.msg):
            return SourceProblem(path, f"invalid syntax: {python.msg}", lines.offset(row, python.offset or 1))
    except (ValueError, RecursionError, MemoryError):
        pass
    else:
        message = "libcst, the parser used here, does not read this syntax, though Python does"
        return SourceProblem(path, message, offset)
    if found:
        return SourceProblem(path, "invalid syntax", offset)
    return SourceProblem(path, "invalid syntax")
