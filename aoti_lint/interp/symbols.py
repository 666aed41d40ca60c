"""Sizes nobody knows yet, and arithmetic with them.

An expression is a nested tuple: `("dim", argument, index)`, `("arg", argument)`, `("const", number)`,
`("other", key)` for something unknown, else `(operator, *operands)`. Two expressions are compared by working them out
for sizes that most numbers divide: what is the same for those is taken to be the same.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from aoti_lint.cache import content_hash

Expr = tuple[Any, ...]

ROOTS = frozenset({"dim", "arg", "other"})
LEAST = 2
"""The smallest size an export takes as open: 0 and 1 are sizes of their own."""
_ROUND = 2**8 * 3**2 * 5 * 7
_PRIMES = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109)
_SAMPLES = 2
_LARGE = 10**60

_APPLY: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "/": lambda one, other: Fraction(one) / Fraction(other),
    "%": operator.mod, "max": max, "min": min, "ceil": math.ceil, "floor": math.floor, "neg": operator.neg,
    "abs": abs, "round": round,
}  # fmt: skip


def roots(expr: Expr) -> Iterator[Expr]:
    """The sizes and unknowns an expression is made of."""
    if expr[0] in ROOTS:
        yield expr
    elif expr[0] != "const":
        for part in expr[1:]:
            yield from roots(part)


def numbers(expr: Expr) -> Iterator[int]:
    """The integers an expression is made of."""
    if expr[0] == "const":
        if type(expr[1]) is int:
            yield expr[1]
    elif expr[0] not in ROOTS:
        for part in expr[1:]:
            yield from numbers(part)


def has_size(expr: Expr) -> bool:
    """Whether a size of a tensor is part of it."""
    return any(root[0] == "dim" for root in roots(expr))


def is_known(expr: Expr) -> bool:
    """Whether it is made of sizes, arguments and numbers alone."""
    return all(root[0] != "other" for root in roots(expr))


def value_of(expr: Expr, sample: int) -> int | float | Fraction | None:
    """What the expression is for one set of sizes; None where it cannot be worked out."""
    kind = expr[0]
    if kind == "const":
        return expr[1]  # type: ignore[no-any-return]
    if kind in ROOTS:
        index = int(content_hash(repr(expr).encode())[:8], 16) + 7 * sample
        return _ROUND * _PRIMES[index % len(_PRIMES)] * (1 + index // len(_PRIMES) % 89)
    parts = [value_of(part, sample) for part in expr[1:]]
    if any(part is None for part in parts):
        return None
    apply = _APPLY.get(kind)
    if apply is None:
        # The same question of the same numbers: the same answer.
        return _ROUND + int(content_hash(repr((kind, parts)).encode())[:8], 16)
    try:
        made = apply(*parts)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return made if -_LARGE < made < _LARGE else None


def replaced(expr: Expr, known: dict[Expr, Expr]) -> Expr:
    """The expression with sizes replaced by what they are known to be."""
    if expr in known:
        return known[expr]
    if expr[0] in ROOTS or expr[0] == "const":
        return expr
    return (expr[0], *(replaced(part, known) for part in expr[1:]))


def unified(pairs: Iterable[tuple[Expr, Expr]]) -> dict[Expr, Expr]:
    """What to write for sizes, so that the two of each pair become the same; pairs that say no single size are left."""
    known: dict[Expr, Expr] = {}
    for pair in pairs:
        one, other = (replaced(part, known) for part in pair)
        if one == other:
            continue
        # What is unknown is written as what is known.
        for root, worth in sorted(((one, other), (other, one)), key=lambda p: p[0][0] != "other"):
            if root[0] in ROOTS and root not in roots(worth):
                known = {key: replaced(value, {root: worth}) for key, value in known.items()} | {root: worth}
                break
    return known


def equal(a: Expr, b: Expr) -> bool | None:
    """Whether two sizes are the same whatever the inputs are; None where that cannot be told."""
    if a == b:
        return True
    for sample in range(_SAMPLES):
        one, other = value_of(a, sample), value_of(b, sample)
        if one is None or other is None:
            return None
        exact = not isinstance(one, float) and not isinstance(other, float)
        if one != other and (exact or not math.isclose(one, other)):
            return False if is_known(a) and is_known(b) else None
    return True


def least(expr: Expr) -> float | None:
    """A number the expression is never below; None where none is known."""
    kind = expr[0]
    if kind == "const":
        return expr[1]  # type: ignore[no-any-return]
    if kind == "dim":
        return LEAST
    if kind in ROOTS:
        return None
    parts = [least(part) for part in expr[1:]]
    known = [part for part in parts if part is not None]
    if kind == "max" and known:
        return max(known)
    if len(known) < len(parts):
        return None
    first, second = known[0], known[-1]
    if kind == "+":
        return first + second
    if kind == "*" and first >= 0 and second >= 0:
        return first * second
    if kind in ("//", "/") and expr[2][0] == "const" and second > 0:
        return first // second if kind == "//" else first / second
    if kind == "min":
        return min(known)
    return math.ceil(first) if kind == "ceil" else math.floor(first) if kind == "floor" else None


def decided(op: str, a: Expr, b: Expr) -> bool | None:
    """The answer to a comparison that holds for every open size; None if there is none."""
    low, number = least(a), b[1] if b[0] == "const" else None
    if op in ("==", "!=") and equal(a, b):
        return op == "=="
    if low is None or number is None:
        flipped = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}.get(op)
        return decided(flipped, b, a) if flipped and a[0] == "const" and b[0] != "const" else None
    if low > number:
        return op in (">", ">=", "!=")
    if low == number and op in (">=", "<"):
        return op == ">="
    return None


def shown(expr: Expr, names: dict[str, str]) -> str:
    """The expression as a person writes it; `names` are the arguments by their keys."""
    kind = expr[0]
    if kind == "const":
        return str(expr[1])
    if kind == "dim":
        return f"{names.get(expr[1], expr[1])}.shape[{expr[2]}]"
    if kind == "arg":
        return names.get(expr[1], str(expr[1]))
    if kind == "other":
        return "…"
    parts = [shown(part, names) for part in expr[1:]]
    if kind in ("+", "-", "*", "//", "/", "%") and len(parts) == 2:
        inner = [f"({p})" if len(e) == 3 and e[0] in "+-" and kind not in "+-" else p
                 for p, e in zip(parts, expr[1:], strict=True)]  # fmt: skip
        return f" {kind} ".join(inner)
    if kind == "neg":
        return f"-({parts[0]})" if len(expr[1]) == 3 and expr[1][0] in "+-" else f"-{parts[0]}"
    return f"{kind}({', '.join(parts)})"
