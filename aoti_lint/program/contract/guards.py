"""Which conditions on sizes say something that the sizes themselves do not.

Tracing writes down every comparison it made, most of which hold for all inputs of the right shape: a `view` that halves
a dim leaves seven, of which one says "even".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from aoti_lint.program.contract.linear import OPPOSITE, Bounds, Linear, compare, decide, linear, readable, without
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
        for factor, low in _positive(_shared(_over_symbols(part, sizes), divisors), known):
            # Torch writes that products are not 0; then none of their factors is.
            if factor in places:
                single.setdefault(factor, _Allowed(known[factor][0])).add(">=", Linear(((factor, 1),), -low))
    for size, allowed in single.items():
        known[size] = allowed.least(), known[size][1]
    for part in parts:
        nonzero: set[Expr] = set()
        over = _clamped(_shared(_over_symbols(part, sizes), divisors), known)
        form = compare(over, nonzero)
        either = form is None and _any_holds(over, known, nonzero)
        wanted = [("!=", linear(divisor), part) for divisor in sorted(nonzero, key=str)]
        if form is None:
            if not either:
                left.setdefault(over, part)
        else:
            wanted.append((*form, part))
        for name, difference, said in wanted:
            if decide(name, difference, known) is True:
                continue
            term = difference.terms[0][0] if len(difference.terms) == 1 else None
            if term in places:
                low = bounds[term][0] if term in bounds else known[term][0]
                single.setdefault(term, _Allowed(low)).add(name, difference)
            else:
                left.setdefault((name, difference), _tidy(said))
    for size, allowed in single.items():
        known[size] = allowed.least(), known[size][1]
    left = {key: said for key, said in left.items() if not _follows(key, known)}
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

    def least(self) -> int:
        """The smallest value that is left."""
        least = self._least
        while least in self._never:
            least += 1
        return least

    def conditions(self, dim: Dim, by: int) -> Iterator[Expr]:
        """The conditions on `dim`, which is `by` times the size."""
        least = self.least()
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
    even: set[tuple[Symbol, Expr]] = set()
    fits: dict[tuple[Symbol, Expr], int] = {}
    for part in parts:
        form = compare(_over_symbols(part, sizes))
        if form is None or form[0] != "==":
            continue
        for term, factor in form[1].terms:
            match term:
                # `s % (s//8) == 0` and `s//(s//8) == 8` together say `s == 8*(s//8)`.
                case Op(name, (Symbol() as over, Op("//", (same, Const(int() as share_by))) as share)):
                    if len(form[1].terms) != 1 or over != same or abs(factor) != 1:
                        continue
                    if name == "%" and not form[1].constant:
                        even.add((over, share))
                    elif name == "//" and form[1].constant * factor == -share_by:
                        fits[over, share] = int(share_by)
        if form[1].constant:
            continue
        by = _divisor(form[1])
        if by is not None:
            name, number = by
            found[name] = math.lcm(found.get(name, 1), number)
    for (whole, part_of), number in fits.items():
        if (whole, part_of) in even:
            found[whole.name] = math.lcm(found.get(whole.name, 1), number)
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


def _positive(part: Expr, known: Bounds) -> Iterator[tuple[Expr, int]]:
    """The factors, none of them negative, of a product that must not be 0, each with 1."""
    form = compare(part)
    if form is None or len(form[1].terms) != 1:
        return
    (term, factor), constant = form[1].terms[0], form[1].constant
    above = (form[0] == ">=" and -constant > 0) or (form[0] == ">" and -constant >= 0)
    if factor <= 0 or not (above or (form[0] == "!=" and constant == 0)):
        return
    factors = term.args if isinstance(term, Op) and term.name == "*" else (term,)
    if all((known.get(each, (-1, None))[0]) >= 0 for each in factors):
        yield from ((each, 1) for each in factors)


def _clamped(expr: Expr, known: Bounds) -> Expr:
    """The expression with `max(1, s)` as `s` where `s` is 1 or more anyway, and the like."""
    if not isinstance(expr, Op):
        return expr
    args = tuple(_clamped(arg, known) for arg in expr.args)
    if expr.name in ("max", "min") and len(args) == 2:
        low, high = linear(args[0]).plus(linear(args[1]).scaled(-1)).bounds(known)
        if low is not None and low >= 0:
            return args[0] if expr.name == "max" else args[1]
        if high is not None and high <= 0:
            return args[1] if expr.name == "max" else args[0]
    return Op(expr.name, args)


def _any_holds(expr: Expr, known: Bounds, nonzero: set[Expr]) -> bool:
    """Whether a part of an `or` always holds, if what it divides by is not 0: that is added to `nonzero`."""
    if not isinstance(expr, Op) or expr.name != "or":
        return False
    for arm in expr.args:
        divisors: set[Expr] = set()
        form = compare(arm, divisors)
        if form is not None and decide(*form, known) is True:
            nonzero |= divisors
            return True
    return False


def _follows(key: object, known: Bounds) -> bool:
    """Whether a condition holds by the bounds of the sizes it is about."""
    match key:
        case (str() as name, Linear(((first, one), (second, other)), 0)) if one == -other:
            if one < 0:
                first, second = second, first
            sign = _more(first, second, known) - _more(second, first, known)
            return bool(sign) and decide(name, Linear((), sign), known) is True
        case ("!=", Linear(((Op("%", (first, second)), _),), 0)):
            return _more(second, first, known)
        case (str() as name, Linear() as difference):
            return decide(name, difference, known) is True
        case _:
            return False


def _more(larger: Expr, smaller: Expr, known: Bounds) -> bool:
    """Whether one product is another, which is not 0, times 2 or more."""
    times = without(linear(larger), linear(smaller))
    if times is None:
        return False
    lows = times.bounds(known)[0], linear(smaller).bounds(known)[0]
    return lows[0] is not None and lows[0] >= 2 and lows[1] is not None and lows[1] >= 1


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
