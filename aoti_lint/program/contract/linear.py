"""Whole-number expressions as sums, to see which conditions on sizes always hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aoti_lint.program.symbolic import Const, Expr, Op

Bounds = Mapping[Expr, tuple[int, int | None]]
"""The smallest and the largest value of a symbol or size; None is no bound."""

COMPARE = {"==", "!=", "<", "<=", ">", ">="}
OPPOSITE = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Linear:
    """`sum(factor * term) + constant`; a term is a symbol, a size or something that is no sum itself."""

    terms: tuple[tuple[Expr, int], ...]
    constant: int

    def scaled(self, factor: int) -> Linear:
        return _linear({term: factor * by for term, by in self.terms}, factor * self.constant)

    def plus(self, other: Linear) -> Linear:
        terms = dict(self.terms)
        for term, by in other.terms:
            terms[term] = terms.get(term, 0) + by
        return _linear(terms, self.constant + other.constant)

    def divided(self, by: Linear) -> int | Linear | None:
        """The exact quotient, where the division leaves nothing whatever the sizes are (and `by` is not 0)."""
        if not by.terms:
            parts = [factor for _, factor in self.terms] + [self.constant]
            if by.constant == 0 or any(part % by.constant for part in parts):
                return None
            return _linear({term: f // by.constant for term, f in self.terms}, self.constant // by.constant)
        factor = dict(self.terms).get(by.terms[0][0], 0) // by.terms[0][1]
        return factor if factor and by.scaled(factor) == self else without(self, by)

    def bounds(self, known: Bounds) -> tuple[int | None, int | None]:
        """The smallest and the largest value."""
        low: int | None = self.constant
        high: int | None = self.constant
        for term, factor in self.terms:
            first, last = _term_bounds(term, known)
            ends = [None if end is None else factor * end for end in (first, last)]
            if factor < 0:
                ends.reverse()
            low = None if low is None or ends[0] is None else low + ends[0]
            high = None if high is None or ends[1] is None else high + ends[1]
        return low, high


def linear(expr: Expr, nonzero: set[Expr] | None = None) -> Linear:
    """An expression as a sum; what is none becomes one term.

    Divisions that always go up are worked out; what they divide by is added to `nonzero`.
    """
    match expr:
        case Const(value) if isinstance(value, int):
            return Linear((), int(value))
        case Op("+", args):
            total = Linear((), 0)
            for arg in args:
                total = total.plus(linear(arg, nonzero))
            return total
        case Op("-", (first, second)):
            return linear(first, nonzero).plus(linear(second, nonzero).scaled(-1))
        case Op("neg", (inner,)):
            return linear(inner, nonzero).scaled(-1)
        case Op("*", args):
            parts = [linear(arg, nonzero) for arg in args]
            factor = math.prod(part.constant for part in parts if not part.terms)
            rest = [part for part in parts if part.terms]
            if len(rest) <= 1:
                return rest[0].scaled(factor) if rest else Linear((), factor)
            return _monomial(rest, factor)
        case Op("//" | "/" | "%" as name, (first, second)):
            over, by = linear(first, nonzero), linear(second, nonzero)
            if name == "%" and not over.terms and not by.terms and by.constant:
                return Linear((), over.constant % by.constant)
            quotient = over.divided(by)
            if name == "%" and by.terms and _multiple(by, over):
                if nonzero is not None:
                    nonzero.add(expression(by))
                return over
            if quotient is None:
                return Linear(((Op(name, (expression(over), expression(by))), 1),), 0)
            if by.terms and nonzero is not None:
                nonzero.add(expression(by))
            if name == "%":
                return Linear((), 0)
            return Linear((), quotient) if isinstance(quotient, int) else quotient
        case _:
            return Linear(((expr, 1),), 0)


def _monomial(parts: Sequence[Linear], factor: int) -> Linear:
    """A product with its numbers in front and the rest in one order."""
    rest: list[Expr] = []
    for part in parts:
        if len(part.terms) == 1 and not part.constant:
            ((term, by),) = part.terms
            factor *= by
            rest += term.args if isinstance(term, Op) and term.name == "*" else [term]
        else:
            rest.append(expression(part))
    return Linear(((Op("*", tuple(sorted(rest, key=str))), factor),), 0)


def without(product: Linear, by: Linear) -> Linear | None:
    """A product without some of its factors; None where that is no whole product."""
    if len(product.terms) != 1 or len(by.terms) != 1 or product.constant or by.constant:
        return None
    ((term, factor),), ((other, number),) = product.terms, by.terms
    left, gone = (list(each.args) if isinstance(each, Op) and each.name == "*" else [each] for each in (term, other))
    for each in gone:
        if each not in left:
            return None
        left.remove(each)
    if factor % number or not left:
        return None
    return Linear(((left[0] if len(left) == 1 else Op("*", tuple(left)), factor // number),), 0)


def _term_bounds(term: Expr, known: Bounds) -> tuple[int | None, int | None]:
    """The bounds of a term; of an operation those that follow from what it is made of, if none of that is negative."""
    if term in known or not isinstance(term, Op) or term.name not in ("*", "//", "%", "max"):
        return known.get(term, (None, None))
    ends = [linear(arg).bounds(known) for arg in term.args]
    lows = [low for low, _ in ends if low is not None and low >= 0]
    if len(lows) < len(ends):
        return None, None
    highs = [high for _, high in ends if high is not None]
    bounded = len(highs) == len(ends)
    match term.name, term.args:
        case "*", _:
            return math.prod(lows), math.prod(highs) if bounded else None
        case "max", _:
            return max(lows), max(highs) if bounded else None
        case "//", (_, Const(int() as by)) if by > 0:
            return lows[0] // by, None if ends[0][1] is None else ends[0][1] // by
        case "%", (_, _) if ends[0][1] is not None and ends[0][1] < lows[1]:
            return lows[0], ends[0][1]
        case _:
            return None, None


def _multiple(larger: Linear, smaller: Linear) -> bool:
    """Whether one sum of sizes, which are not negative, is two times another or more."""
    times = larger.divided(smaller) if smaller.terms else None
    return isinstance(times, int) and times > 1 and smaller.constant >= 0 and all(f > 0 for _, f in smaller.terms)


def expression(sum_: Linear) -> Expr:
    """The sum as an expression."""
    parts = [term if factor == 1 else Op("*", (Const(factor), term)) for term, factor in sum_.terms]
    if sum_.constant or not parts:
        parts.append(Const(sum_.constant))
    return parts[0] if len(parts) == 1 else Op("+", tuple(parts))


def compare(condition: Expr, nonzero: set[Expr] | None = None) -> tuple[str, Linear] | None:
    """A comparison as one of a sum with 0; None for what is no comparison of whole numbers."""
    if not isinstance(condition, Op) or condition.name not in COMPARE or len(condition.args) != 2:
        return None
    left, right = (linear(arg, nonzero) for arg in condition.args)
    difference = left.plus(right.scaled(-1))
    return condition.name, difference


def decide(name: str, difference: Linear, bounds: Bounds) -> bool | None:
    """Whether the comparison of a sum with 0 holds for all sizes, or for none; None if it depends."""
    low, high = difference.bounds(bounds)
    above = low is not None and low > 0
    below = high is not None and high < 0
    zero = low == high == 0
    match name:
        case "==":
            return True if zero else False if above or below else None
        case "!=":
            return True if above or below else False if zero else None
        case ">":
            return True if above else False if high is not None and high <= 0 else None
        case ">=":
            return True if low is not None and low >= 0 else False if below else None
        case "<":
            return True if below else False if low is not None and low >= 0 else None
        case _:
            return True if high is not None and high <= 0 else False if above else None


def readable(name: str, difference: Linear) -> Expr:
    """The comparison with what is subtracted on the other side: `x.shape[0] + y.shape[0] < 40`."""
    common = math.gcd(*(factor for _, factor in difference.terms), difference.constant) or 1
    smaller = difference.divided(Linear((), common))
    assert isinstance(smaller, Linear)
    left = _linear({term: factor for term, factor in smaller.terms if factor > 0}, 0)
    right = _linear({term: -factor for term, factor in smaller.terms if factor < 0}, -smaller.constant)
    if not left.terms:
        left, right, name = right, left, OPPOSITE[name]
        left, right = Linear(left.terms, 0), Linear(right.terms, -left.constant)
    return Op(name, (expression(left), expression(right)))


def _linear(terms: Mapping[Expr, int], constant: int) -> Linear:
    kept = {term: factor for term, factor in terms.items() if factor}
    return Linear(tuple(sorted(kept.items(), key=lambda item: str(item[0]))), constant)
