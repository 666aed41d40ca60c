"""Sizes nobody knows yet, and arithmetic with them.

An expression is a kind with its parts: `Expr("dim", argument, index)`, `Expr("arg", argument)`,
`Expr("const", number)`, `Expr("other", key)` for something unknown, else `Expr(operator, *operands)`. Two expressions
are compared by working them out for sizes that most numbers divide: what is the same for those is taken to be the same.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from aoti_lint.files.cache import content_hash
from aoti_lint.values.meter import METER

if TYPE_CHECKING:
    from fractions import Fraction

    Number = int | float | Fraction

ROOTS = frozenset({"dim", "arg", "other"})
LEAVES = ROOTS | {"const", "rank", "numel"}
LEAST = 2
"""The smallest size an export takes as open: 0 and 1 are sizes of their own."""
MAX_NODES = 500
"""Nodes an expression may have as a tree, in which what is used twice counts twice; real ones have about ten."""
MAX_DEPTH = 100
_ROUND = 2**8 * 3**2 * 5 * 7
_PRIMES = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109)
_SAMPLES = 2
_LARGE = 10**60


def _divided(one: int | Fraction, other: int | Fraction) -> Fraction:
    from fractions import Fraction  # with decimal 4 ms, and few sizes are divided

    return Fraction(one) / Fraction(other)


_APPLY: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "/": _divided,
    "%": operator.mod, "max": max, "min": min, "ceil": math.ceil, "floor": math.floor, "neg": operator.neg,
    "abs": abs, "round": round,
}  # fmt: skip


class Expr(tuple[Any, ...]):
    """An expression. What walks over it would find is worked out once, when it is made, from that of its parts.

    `n = n * n` a few times makes a tree that nobody can walk out of a few nodes: one that is too large is something
    unknown, the same for the same operands.
    """

    digest: str
    """Tells it apart: two expressions of one digest are the same."""
    size: int
    depth: int
    numbers: frozenset[int]
    """The integers it is made of."""
    worths: tuple[Number | None, ...]
    """What it is for each sample of sizes; None where it cannot be worked out."""
    low: float | None
    """A number it is never below; None where none is known."""
    _roots: tuple[Expr, ...]

    def __new__(cls, kind: str, *parts: Any) -> Expr:
        METER.spend()
        inner: tuple[Expr, ...] = () if kind in LEAVES else parts
        said = (p.digest for p in inner) if inner else map(repr, parts)
        digest = content_hash("\0".join((kind, *said)).encode())
        size = 1 + sum(part.size for part in inner)
        depth = 1 + max((part.depth for part in inner), default=0)
        if size > MAX_NODES or depth > MAX_DEPTH:
            return cls("other", f"a large expression:{digest}")
        made = super().__new__(cls, (kind, *parts))
        made.digest, made.size, made.depth = digest, size, depth
        made._roots = tuple(dict.fromkeys(root for part in inner for root in part.roots))
        own = parts if kind == "const" and type(parts[0]) is int else ()
        made.numbers = frozenset(own).union(*(part.numbers for part in inner))
        made.worths = tuple(_worth(made, inner, sample) for sample in range(_SAMPLES))
        made.low = _low(made, inner)
        return made

    @property
    def roots(self) -> tuple[Expr, ...]:
        """The sizes and unknowns it is made of, each once."""
        return (self,) if self[0] in ROOTS else self._roots

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expr) and self.digest == other.digest)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.digest)


def _worth(expr: Expr, parts: tuple[Expr, ...], sample: int) -> Number | None:
    kind = expr[0]
    if kind == "const":
        return expr[1]  # type: ignore[no-any-return]
    if kind in ROOTS:
        index = int(content_hash(repr(expr).encode())[:8], 16) + 7 * sample
        return _ROUND * _PRIMES[index % len(_PRIMES)] * (1 + index // len(_PRIMES) % 89)
    return _applied(kind, [part.worths[sample] for part in parts])


def _applied(kind: str, given: list[Number | None]) -> Number | None:
    if not given or None in given:
        return None
    apply = _APPLY.get(kind)
    if apply is None:
        # The same question of the same numbers: the same answer.
        return _ROUND + int(content_hash(repr((kind, given)).encode())[:8], 16)
    try:
        made = apply(*given)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return made if -_LARGE < made < _LARGE else None


def worth_of(expr: Expr, sizes: Mapping[Expr, Number]) -> Number | None:
    """What the expression is for these sizes, the others as in the first sample; None where it cannot be worked out."""
    known: dict[Expr, Number | None] = dict(sizes)

    def of(one: Expr) -> Number | None:
        if one not in known:
            inner = () if one[0] in LEAVES else one[1:]
            known[one] = _applied(one[0], [of(part) for part in inner]) if inner else one.worths[0]
        return known[one]

    return of(expr)


def _low(expr: Expr, parts: tuple[Expr, ...]) -> float | None:
    kind = expr[0]
    if kind in LEAVES:
        return expr[1] if kind == "const" else LEAST if kind == "dim" else None
    known = [part.low for part in parts if part.low is not None]
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


def has_size(expr: Expr) -> bool:
    """Whether a size of a tensor is part of it."""
    return any(root[0] == "dim" for root in expr.roots)


def is_known(expr: Expr) -> bool:
    """Whether it is made of sizes, arguments and numbers alone."""
    return all(root[0] != "other" for root in expr.roots)


def replaced(expr: Expr, known: dict[Expr, Expr]) -> Expr:
    """The expression with sizes replaced by what they are known to be."""
    if expr in known:
        return known[expr]
    if expr[0] in ROOTS or expr[0] == "const":
        return expr
    return Expr(expr[0], *(replaced(part, known) for part in expr[1:]))


def unified(pairs: Iterable[tuple[Expr, Expr]]) -> dict[Expr, Expr]:
    """What to write for sizes, so that the two of each pair become the same; pairs that say no single size are left."""
    known: dict[Expr, Expr] = {}
    for pair in pairs:
        one, other = _without_rest(*(replaced(part, known) for part in pair))
        if one == other:
            continue
        # What is unknown is written as what is known.
        for root, worth in sorted(((one, other), (other, one)), key=lambda p: p[0][0] != "other"):
            if root[0] in ROOTS and root not in worth.roots:
                known = {key: replaced(value, {root: worth}) for key, value in known.items()} | {root: worth}
                break
    return known


def _without_rest(one: Expr, other: Expr) -> tuple[Expr, Expr]:
    """What a pair says of the number that is divided, where it says that a division leaves no rest."""
    for rest, nothing in ((one, other), (other, one)):
        if rest[0] == "%" and nothing == Expr("const", 0) and rest[1][0] in ROOTS:
            return rest[1], Expr("*", rest[2], Expr("arg", f"how often {rest[2]!r} is in {rest[1]!r}"))
    return one, other


def equal(a: Expr, b: Expr) -> bool | None:
    """Whether two sizes are the same whatever the inputs are; None where that cannot be told."""
    if a == b:
        return True
    for sample in range(_SAMPLES):
        one, other = a.worths[sample], b.worths[sample]
        if one is None or other is None:
            return None
        exact = not isinstance(one, float) and not isinstance(other, float)
        if one != other and (exact or not math.isclose(one, other)):
            return False if is_known(a) and is_known(b) else None
    return True


def decided(op: str, a: Expr, b: Expr) -> bool | None:
    """The answer to a comparison that holds for every open size; None if there is none."""
    low, number = a.low, b[1] if b[0] == "const" else None
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
