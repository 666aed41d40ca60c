"""From text to a libcst tree and the places of its nodes, or a `SourceProblem`."""

from __future__ import annotations

import ast
import io
import tokenize

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
    """Describe a syntax error, in Python's own words if these are not about a syntax it is too old for."""
    lines = LineIndex(text)
    found = _ROW_AND_COLUMN.search(found_by_libcst)
    place = None if found is None else (int(found[1]), int(found[2]))
    offset = None if place is None else lines.offset(*place)
    try:
        ast.parse(text)
    except SyntaxError as python:
        begin = python.lineno or 1, python.offset or 1
        if place is None or not _ends_between(text, begin, place):
            told = python.msg if python.msg.startswith("invalid syntax") else f"invalid syntax: {python.msg}"
            return SourceProblem(path, told, lines.offset(*begin))
    except (ValueError, RecursionError, MemoryError):
        pass
    else:
        message = "libcst, the parser used here, does not read this syntax, though Python does"
        return SourceProblem(path, message, offset)
    return SourceProblem(path, "invalid syntax", offset)


def _ends_between(text: str, begin: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether a statement ends between two places: libcst has read what Python stops at, and stops at another one."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            row, column = token.start
            if token.type == tokenize.NEWLINE and begin < (row, column + 1) < end:
                return True
    except (tokenize.TokenError, SyntaxError):
        pass  # the rest is one broken statement
    return False
