"""A contract as a list of checks, which each language then writes in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aoti_lint.program.contract.build import sizes
from aoti_lint.program.contract.linear import Linear, linear
from aoti_lint.program.contract.model import UNKNOWN, Contract, Input
from aoti_lint.program.facts import Size
from aoti_lint.program.symbolic import Const, Dim, Expr, Op, Symbol, dims, parse, replace, symbols


@dataclass(frozen=True, slots=True)
class Define:
    """`symbol` is `(dim - offset) / factor`, and the division must leave nothing."""

    symbol: str
    dim: Dim
    factor: int
    offset: int
    size: Expr
    """The size of the dim as an expression, for the message."""


@dataclass(frozen=True, slots=True)
class Between:
    """The size of a dim lies between two numbers; None is no bound."""

    dim: Dim
    low: int | None
    high: int | None
    size: Expr


@dataclass(frozen=True, slots=True)
class Equal:
    """The size of a dim is an expression over the symbols defined before; `said` has the dims they are taken from."""

    dim: Dim
    size: Expr
    said: Expr


@dataclass(frozen=True, slots=True)
class Strides:
    """A tensor lies in memory as it did when the model was compiled."""

    path: str
    strides: tuple[Expr | None, ...]


@dataclass(frozen=True, slots=True)
class Holds:
    """A condition over sizes."""

    condition: Expr


Check = Define | Between | Equal | Strides | Holds


def fixed_sizes(item: Input) -> tuple[int | None, ...]:
    """The sizes of a tensor that are numbers; None for others."""
    return tuple(size if isinstance(size, int) else None for size in item.shape or ())


def mentioned(check: Check) -> set[str]:
    """The symbols that a check is worked out from."""
    match check:
        case Equal(size=size):
            return symbols(size)
        case Strides(strides=strides):
            return set().union(*(symbols(stride) for stride in strides if stride is not None))
        case Holds(condition):
            return symbols(condition)
        case _:
            return set()


def divides(expr: Expr) -> bool:
    """Whether working out an expression may divide by 0."""
    if not isinstance(expr, Op):
        return False
    by_size = expr.name in ("//", "%", "/") and bool(dims(expr.args[1]) or symbols(expr.args[1]))
    return by_size or any(map(divides, expr.args))


def plan(contract: Contract) -> list[Check]:
    """What is left to check once every tensor is there and has its number of dims and its fixed sizes."""
    return list(_Planner(contract).checks())


class _Planner:
    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._open = {dim: size for dim, size in sizes(contract.inputs).items() if not isinstance(size, Const)}
        self._known: set[str] = set()
        self._taken: dict[str, Dim] = {}

    def checks(self) -> Iterator[Check]:
        defined: set[Dim] = set()
        while (found := self._next()) is not None:
            defined.add(found.dim)
            self._known.add(found.symbol)
            if (found.factor, found.offset) == (1, 0):
                self._taken[found.symbol] = found.dim
            yield found
            yield from self._between(found)
        for dim, size in self._open.items():
            if dim not in defined and symbols(size) <= self._known:
                yield Equal(dim, size, replace(size, self._place))
        for guard in self._contract.guards:
            yield Holds(parse_over(guard, self._contract))
        for item in self._contract.inputs:
            strides = [self._stride(stride) for stride in item.strides or ()]
            if any(stride is not None for stride in strides):
                yield Strides(item.path, tuple(strides))

    def _place(self, leaf: Expr) -> Expr | None:
        return self._taken.get(leaf.name) if isinstance(leaf, Symbol) else None

    def _next(self) -> Define | None:
        """The next symbol that can be worked out: one that is a size itself, else one that a size is made of."""
        derived: Define | None = None
        for dim, size in self._open.items():
            if isinstance(size, Symbol) and size.name not in self._known:
                return Define(size.name, dim, 1, 0, size)
            sum_ = linear(size)
            if derived is None and (solved := _solved(sum_, self._known)) is not None:
                derived = Define(solved[0], dim, solved[1], sum_.constant, size)
        return derived

    def _between(self, found: Define) -> Iterator[Between]:
        low = self._contract.least.get(found.symbol, 0)
        stated = self._contract.symbols.get(found.symbol)
        high = None if stated is None else stated.max
        ends = [None if end is None else end * found.factor + found.offset for end in (low if low > 0 else None, high)]
        if found.factor < 0:
            ends.reverse()
        if found.offset and low == 0:
            ends[0] = max(found.offset, 0) or None
        if ends != [None, None]:
            yield Between(found.dim, ends[0], ends[1], found.size)

    def _stride(self, stride: Size) -> Expr | None:
        if stride == UNKNOWN:
            return None
        expr = Const(stride) if isinstance(stride, int) else parse(stride)
        return expr if symbols(expr) <= self._known else None


def parse_over(guard: str, contract: Contract) -> Expr:
    """A condition of a contract, whose inputs that are numbers are written like symbols."""
    numbers = {item.path for item in contract.inputs if item.kind == "symbol"}

    def change(leaf: Expr) -> Expr | None:
        return Dim(leaf.name, None, "value") if isinstance(leaf, Symbol) and leaf.name in numbers else None

    return replace(parse(guard), change)


def _solved(sum_: Linear, known: set[str]) -> tuple[str, int] | None:
    """The symbol and its factor in a sum of one unknown symbol and a number."""
    if len(sum_.terms) != 1:
        return None
    term, factor = sum_.terms[0]
    return (term.name, factor) if isinstance(term, Symbol) and term.name not in known else None
