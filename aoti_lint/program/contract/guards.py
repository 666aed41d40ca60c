"""Which conditions on sizes say something that the sizes themselves do not.

Tracing writes down every comparison it made, most of which hold for all inputs of the right shape: a `view` that halves
a dim leaves seven, of which one says "even".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from aoti_lint.program.contract.linear import OPPOSITE, Bounds, Linear, compare, decide, linear, readable
from aoti_lint.program.symbolic import Const, Dim, Expr, Op, Symbol, dims, replace


def essential(guards: Iterable[Expr], sizes: Mapping[Dim, Expr], bounds: Bounds) -> list[Expr]:
    """The conditions that are left to check, over sizes of inputs, each in its simplest form.

    `sizes` are the sizes of the inputs over symbols; they and the `bounds` of the symbols are checked anyway.
    """
    parts = [part for guard in guards for part in _parts(guard)]
    divisors = _divisors(parts, sizes)
    known = dict(bounds)
    places: dict[Expr, tuple[Dim, int]] = {}
    left: dict[object, Expr] = {}
    for dim, size in sizes.items():
        if isinstance(size, Symbol) and size not in places:
            places[size] = dim, 1
            by = divisors.get(size.name)
            if by is not None:
                share = _share(size.name)
                low, high = bounds.get(size, (0, None))
                known[share] = -(-low // by), None if high is None else high // by
                places[share] = dim, by
                left[share] = Op("==", (Op("%", (dim, Const(by))), Const(0)))
    single: dict[Expr, _Allowed] = {}
    for part in parts:
        nonzero: set[Expr] = set()
        over = _shared(_over_symbols(part, sizes), divisors)
        form = compare(over, nonzero)
        wanted = [("!=", linear(divisor), part) for divisor in sorted(nonzero, key=str)]
        if form is None:
            left.setdefault(over, part)
        else:
            wanted.append((*form, part))
        for name, difference, said in wanted:
            if decide(name, difference, known) is True:
                continue
            term = difference.terms[0][0] if len(difference.terms) == 1 else None
            if term in places:
                single.setdefault(term, _Allowed(known[term][0])).add(name, difference)
            else:
                left.setdefault((name, difference), _tidy(said))
    own = [condition for term, allowed in single.items() for condition in allowed.conditions(*places[term])]
    return [*left.values(), *own]


class _Allowed:
    """What conditions leave of the values of one size, which are at least `low`."""

    def __init__(self, low: int) -> None:
        self._low, self._least, self._most = low, low, math.inf
        self._only: set[int] = set()
        self._never: set[int] = set()
        self._impossible = False

    def add(self, name: str, difference: Linear) -> None:
        """Take in that `factor*size + constant` compares so with 0."""
        factor, constant = difference.terms[0][1], difference.constant
        if factor < 0:
            factor, constant, name = -factor, -constant, OPPOSITE[name]
        if name in ("==", "!="):
            value, rest = divmod(-constant, factor)
            if name == "!=":
                self._never |= set() if rest else {value}
            elif rest:
                self._impossible = True
            else:
                self._only.add(value)
        elif name in (">", ">="):
            self._least = max(self._least, -(constant // factor) if name == ">=" else -constant // factor + 1)
        else:
            self._most = min(self._most, -constant // factor if name == "<=" else -(constant // factor) - 1)

    def conditions(self, dim: Dim, by: int) -> Iterator[Expr]:
        """The conditions on `dim`, which is `by` times the size."""
        least = self._least
        while least in self._never:
            least += 1
        if self._impossible or len(self._only) > 1:
            yield Op("<", (dim, Const(0)))
        for value in sorted(self._only):
            yield Op("==", (dim, Const(by * value)))
        if not self._only and least > self._low:
            yield Op(">=", (dim, Const(by * least)))
        if self._most != math.inf:
            yield Op("<=", (dim, Const(by * int(self._most))))
        yield from (Op("!=", (dim, Const(by * value))) for value in sorted(self._never) if value > least)


def _parts(guard: Expr) -> list[Expr]:
    if isinstance(guard, Op) and guard.name == "and":
        return [part for arg in guard.args for part in _parts(arg)]
    return [guard]


def _over_symbols(expr: Expr, sizes: Mapping[Dim, Expr]) -> Expr:
    return replace(expr, lambda leaf: sizes.get(leaf) if isinstance(leaf, Dim) else None)


def _divisors(parts: Iterable[Expr], sizes: Mapping[Dim, Expr]) -> dict[str, int]:
    """Symbols that a condition says are a multiple of a number: `s % 4 == 0`, and `8*s == 32*(s//4)`."""
    found: dict[str, int] = {}
    for part in parts:
        form = compare(_over_symbols(part, sizes))
        if form is None or form[0] != "==" or form[1].constant:
            continue
        by = _divisor(form[1])
        if by is not None:
            name, number = by
            found[name] = math.lcm(found.get(name, 1), number)
    return {name: number for name, number in found.items() if number > 1}


def _divisor(difference: Linear) -> tuple[str, int] | None:
    match difference.terms:
        case ((Op("%", (over, Const(int() as by))), _),):
            sum_ = linear(over)
            match sum_.terms:
                case ((Symbol(name), factor),) if not sum_.constant:
                    return name, by // math.gcd(by, factor)
        case ((Op("//", (Symbol(name), Const(int() as by))), rest), (Symbol(other), factor)) | (
            (Symbol(other), factor),
            (Op("//", (Symbol(name), Const(int() as by))), rest),
        ) if name == other and factor * by == -rest:
            return name, by
    return None


def _share(name: str) -> Symbol:
    """What a symbol is a multiple of."""
    return Symbol(f"{name} share")


def _shared(expr: Expr, divisors: Mapping[str, int]) -> Expr:
    def change(leaf: Expr) -> Expr | None:
        if isinstance(leaf, Symbol) and leaf.name in divisors:
            return Op("*", (Const(divisors[leaf.name]), _share(leaf.name)))
        return None

    return replace(expr, change)


def _tidy(part: Expr) -> Expr:
    """The condition in the fewest words, if it only adds and compares sizes; else as torch wrote it."""
    form = compare(part)
    if form is None or not all(isinstance(term, Dim) for term, _ in form[1].terms) or not dims(part):
        return part
    return readable(*form)
