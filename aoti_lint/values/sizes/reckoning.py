"""Arithmetic with what the user chooses: a number of rows given as an option, twice that, half of it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aoti_lint.lazily.dataclass import replace
from aoti_lint.values.identity import ident
from aoti_lint.values.values import Const, Size, Sym, Unknown, Value

FLOAT = "float:"
"""How the key of a value begins that is surely a float of Python, whichever."""
MAX_NUMBER = 10**12
"""The largest number that is followed."""
NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod,
}  # fmt: skip


def is_float(value: Value) -> bool:
    """Whether a value is surely a float of Python, known or not."""
    if isinstance(value, Const):
        return type(value.value) is float
    return isinstance(value, Unknown | Sym) and value.key.startswith(FLOAT)


def as_float(value: Value) -> Value:
    """A value that is a float of Python, as `float()` gives one."""
    if not isinstance(value, Unknown | Sym) or isinstance(value, Size) or is_float(value):
        return value
    return replace(value, key=f"{FLOAT}{value.key}")


def reckoned(op: str, a: Value, b: Value) -> Value:
    """`a op b` of two values that are not both known: the same value for the same operands.

    Where the user chooses one of them, what it is if nobody chooses is worked out.
    """
    numeric = op in NUMBERS and all(is_float(v) or _number(v) is not None for v in (a, b))
    key = f"{FLOAT if numeric and (is_float(a) or is_float(b)) else ''}({ident(a)}{op}{ident(b)})"
    first, second = _number(a), _number(b)
    if Sym in (type(a), type(b)) and op in NUMBERS and first is not None and second is not None:
        with suppress(ArithmeticError):
            made = NUMBERS[op](first, second)
            if abs(made) <= MAX_NUMBER:
                return Sym(key, next(one.origin for one in (a, b) if isinstance(one, Sym)), Const(made))
    return Unknown(key, "arithmetic with an unknown")


def _number(value: Value) -> int | float | None:
    """What a value is if nobody chooses another, where that is a number."""
    usual = value.default if isinstance(value, Sym) else value
    known = usual.value if isinstance(usual, Const) else None
    return known if isinstance(known, int | float) and not isinstance(known, bool) else None
