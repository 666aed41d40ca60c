"""Values of literals as Python would read them."""

from __future__ import annotations

import ast
import re

from aoti_lint.ir import nodes
from aoti_lint.lazily.regex import regex

_PREFIX = regex(r"[A-Za-z]*")
_ESCAPED_OR_QUOTE = regex(r'(\\.)|"', re.DOTALL)
_NEWLINE = regex(r"\r\n?")


def string_value(raw: str) -> str | bytes:
    """Value of one string or bytes literal with its prefix and quotes. Raises `SyntaxError` for a wrong escape."""
    prefix = _PREFIX.match(raw)[0].lower()  # type: ignore[index]
    if "b" in prefix or ("\\" in raw and "r" not in prefix):
        value = ast.literal_eval(raw)
        assert isinstance(value, (str, bytes))
        return value
    quotes = 3 if raw[len(prefix) : len(prefix) + 3] in ('"""', "'''") else 1
    return _unified(raw[len(prefix) + quotes : -quotes])


def format_text_value(text: str, start: str) -> str:
    """Value of a text part of an f-string that begins with `start` (prefix and quotes).

    Raises `SyntaxError` for a wrong escape.
    """
    text = text.replace("{{", "{").replace("}}", "}")
    prefix = _PREFIX.match(start)[0]  # type: ignore[index]
    if "\\" in text and "r" not in prefix.lower():
        # A quote may stand at the end of a part, just before a field.
        quoted = _ESCAPED_OR_QUOTE.sub(lambda match: match[1] or '\\"', text)
        value = ast.literal_eval(f'"""{quoted}"""')
        assert isinstance(value, str)
        return value
    return _unified(text)


def number_value(raw: str) -> int | float | complex:
    """Value of a number. Raises `SyntaxError` for an integer longer than Python converts."""
    value = ast.literal_eval(raw)
    assert isinstance(value, (int, float, complex))
    return value


def with_sign(start: int, end: int, op: str, value: nodes.Expr) -> nodes.Const | nodes.Unary:
    """A unary operation; a number with its sign is a number."""
    if op in ("+", "-") and isinstance(value, nodes.Const):
        number = value.value
        if isinstance(number, (int, float, complex)) and not isinstance(number, bool):
            return nodes.Const(start, end, -number if op == "-" else number)
    return nodes.Unary(start, end, op, value)


def _unified(text: str) -> str:
    return _NEWLINE.sub("\n", text) if "\r" in text else text
