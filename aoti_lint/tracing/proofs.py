"""What torch can prove of a dynamic size that is only known to lie in a range.

It works with ranges: `n // 2 <= n` is proved for `n` from 32 to 64, as 32 is the greatest `n // 2` and the least `n`,
and not for `n` from 4 on. Run on torch 2.13 (release 2.13.0, `torch/utils/_sympy/value_ranges.py`).
"""

from __future__ import annotations

import math
from typing import Any

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.sizes.symbols import ROOTS, Expr

Range = tuple[float, float]
Term = tuple[Any, ...]
"""A size, or a kind with what it is made of: sums and numbers."""


@dataclass(frozen=True, slots=True)
class Sum:
    """`number` and multiples of expressions, none of which is a sum."""

    terms: tuple[tuple[Term, int], ...]
    number: int


def is_proved(left: Expr, op: str, right: Expr, low: int, high: int | None) -> bool | None:
    """Whether torch proves `left op right` for a size of which it knows a range.

    None where that is not said: where a side is more than sums, minima and rounded quotients of the size, or where the
    two sides are no more than multiples of it.
    """
    sizes = (float(low), math.inf if high is None else float(high))
    one, other = _sum(left, sizes), _sum(right, sizes)
    if one is None or other is None or op not in ("<", "<=", ">", ">="):
        return None
    if op in (">", ">="):
        one, other = other, one
    least = 1 if op in ("<", ">") else 0
    rest = _added(other, one, -1)
    if all(term[0] in ROOTS for term, _ in rest.terms):
        return None
    return _range(rest, sizes)[0] >= least or _range(other, sizes)[0] - _range(one, sizes)[1] >= least


def _sum(expr: Expr, sizes: Range) -> Sum | None:
    kind = expr[0]
    if kind == "const":
        return Sum((), expr[1]) if type(expr[1]) is int else None
    if kind in ROOTS:
        return Sum(((expr, 1),), 0) if kind != "other" else None
    if kind in ("ceil", "floor") and expr[1][0] == "/":
        return _quotient(expr[1][1], expr[1][2], kind == "ceil", sizes)
    if kind == "//":
        return _quotient(expr[1], expr[2], False, sizes)
    parts = [_sum(part, sizes) for part in expr[1:]]
    if len(parts) != 2 or parts[0] is None or parts[1] is None:
        return None
    one, other = parts[0], parts[1]
    if kind in ("+", "-"):
        return _added(one, other, 1 if kind == "+" else -1)
    if kind == "*" and not (one.terms and other.terms):
        number, rest = (one.number, other) if not one.terms else (other.number, one)
        return Sum(tuple((term, times * number) for term, times in rest.terms if number), rest.number * number)
    if kind in ("min", "max"):
        return _extreme(expr, one, other, sizes)
    return None


def _added(one: Sum, other: Sum, sign: int) -> Sum:
    found = dict(one.terms)
    for term, times in other.terms:
        found[term] = found.get(term, 0) + sign * times
    return Sum(tuple((term, times) for term, times in found.items() if times), one.number + sign * other.number)


def _quotient(of: Expr, by: Expr, up: bool, sizes: Range) -> Sum | None:
    inner = _sum(of, sizes)
    if inner is None or by[0] != "const" or type(by[1]) is not int or by[1] < 1:
        return None
    number = inner.number + (by[1] - 1 if up else 0)
    if all(times % by[1] == 0 for _, times in inner.terms):
        return Sum(tuple((term, times // by[1]) for term, times in inner.terms), number // by[1])
    return Sum(((("//", Sum(inner.terms, number), by[1]), 1),), 0)


def _extreme(expr: Expr, one: Sum, other: Sum, sizes: Range) -> Sum:
    """The lesser or the greater of two, where their ranges tell which that is."""
    first, second = (one, other) if expr[0] == "min" else (other, one)
    rest = _range(_added(second, first, -1), sizes)
    if rest[0] >= 0:
        return first
    return second if rest[1] <= 0 else Sum((((expr[0], one, other), 1),), 0)


def _range(value: Sum, sizes: Range) -> Range:
    low = high = float(value.number)
    for term, times in value.terms:
        ends = [times * end for end in _of_term(term, sizes)]
        low, high = low + min(ends), high + max(ends)
    return (-math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high)


def _of_term(term: Term, sizes: Range) -> Range:
    if term[0] in ROOTS:
        return sizes
    if term[0] == "//":
        low, high = _range(term[1], sizes)
        return (low // term[2] if math.isfinite(low) else low, high // term[2] if math.isfinite(high) else high)
    both = [_range(part, sizes) for part in term[1:]]
    pick = min if term[0] == "min" else max
    return (pick(r[0] for r in both), pick(r[1] for r in both))
