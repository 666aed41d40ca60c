"""The contract as the planner needs it: the inputs, the symbols, and which sizes go together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aoti_lint.program import facts
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Const, Dim, Expr, Number, Symbol, evaluate, parse, symbols
from aoti_lint.program.verify.cases import Scalar

SEARCH = 4096
"""The largest size that is looked for one by one."""
COMBINATIONS = 500
"""How many combinations of the other symbols are tried for one value of a symbol."""
_FIRST = (5, 4, 6, 8, 3, 2, 12, 16, 10, 7, 32, 64, 1, 128, 0)


@dataclass(frozen=True, slots=True)
class Input:
    """One leaf of the arguments. `shape` None is a plain value: `value`, or `symbol` for one that may change."""

    path: str
    dtype: str = ""
    shape: tuple[Expr, ...] | None = None
    strides: tuple[Expr, ...] | None = None
    device: str = "cpu"
    below: tuple[Expr, ...] = ()
    """Whole numbers in it must be smaller than each of these, as something is indexed with them."""
    high: int = 2
    """The same where no bound is known: one more than the largest number of the example."""
    value: Scalar = None
    symbol: Expr | None = None


@dataclass
class Space:
    """All inputs, in the order torch flattens them.

    `base` are sizes everything else varies one by one: those of the example, where there is one.
    """

    inputs: tuple[Input, ...]
    ranges: Mapping[str, facts.Range] = field(default_factory=dict)
    guards: tuple[Expr, ...] = ()
    example: bool = False
    base: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        used = {name for item in self.inputs for expr in (*(item.shape or ()), *_one(item.symbol))
                for name in symbols(expr)}  # fmt: skip
        self.symbols = tuple(name for name in self.ranges if name in used)
        if any(name not in self.base for name in self.symbols):
            self.base = self._start()

    def _start(self) -> dict[str, int]:
        """Sizes the contract allows, for a program without an example. Raises `Unreadable` when none is found."""
        choices = [[self.base[name]] if name in self.base else self._likely(name) for name in self.symbols]
        for values in itertools.islice(itertools.product(*choices), 20_000):
            sizes = dict(zip(self.symbols, values, strict=True))
            if self.valid(sizes):
                return sizes
        raise Unreadable("no sizes were found that satisfy all guards; save the program with its example inputs")

    def _likely(self, name: str) -> list[int]:
        low, high = self.bounds(name)
        near = (low, low + 1, *((high,) if high is not None else ()))
        return [size for size in dict.fromkeys((*_FIRST, *near)) if low <= size and (high is None or size <= high)]

    def bounds(self, name: str) -> tuple[int, int | None]:
        """The range of a symbol."""
        known = self.ranges[name]
        return max(known.min or 0, 0), known.max

    def valid(self, sizes: Mapping[str, int]) -> bool:
        """Whether the contract allows these sizes, as far as its guards can be worked out."""
        for name in self.symbols:
            low, high = self.bounds(name)
            if sizes[name] < low or (high is not None and sizes[name] > high):
                return False
        values: dict[Expr, Number] = {Symbol(name): value for name, value in sizes.items()}
        for item in self.inputs:
            if item.shape is None:
                if isinstance(item.value, int | float):
                    values[Dim(item.path, None, "value")] = item.value
                continue
            for index, expr in enumerate(item.shape):
                size = evaluate(expr, values)
                if size is None or size != int(size) or size < 0:
                    return False
                values[Dim(item.path, index)] = int(size)
            for index, expr in enumerate(item.strides or ()):
                stride = evaluate(expr, values)
                if stride is not None:
                    values[Dim(item.path, index, "stride")] = stride
        return all(evaluate(guard, values) is not False for guard in self.guards)

    def shape(self, item: Input, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The sizes of a tensor input."""
        return _numbers(item.shape or (), sizes)

    def strides(self, item: Input, sizes: Mapping[str, int]) -> tuple[int, ...] | None:
        """Its strides; None where they are those of contiguous memory."""
        if item.strides is None:
            return None
        found, shape = _numbers(item.strides, sizes), self.shape(item, sizes)
        same = all(a == b or size == 1 for a, b, size in zip(found, contiguous(shape), shape, strict=True))
        return None if same or 0 in shape else found

    def high(self, item: Input, sizes: Mapping[str, int]) -> int:
        """What whole numbers in an input must be below."""
        known = [int(value) for expr in item.below if (value := number(expr, sizes)) is not None]
        return max(min(known, default=item.high), 1)

    def elements(self, sizes: Mapping[str, int]) -> int:
        """The elements of all tensors together."""
        return sum(math.prod(self.shape(item, sizes)) for item in self.inputs if item.shape is not None)

    def complete(self, name: str, value: int) -> dict[str, int] | None:
        """Sizes the contract allows in which a symbol has this value, the others as in `base` where they can."""
        others = [other for other in self.symbols if other != name]
        choices = [dict.fromkeys([self.base[o], value, *self._likely(o)]) for o in others]
        for values in itertools.islice(itertools.product(*choices), COMBINATIONS):
            sizes = {**self.base, name: value, **dict(zip(others, values, strict=True))}
            if self.valid(sizes):
                return sizes
        return None

    def together(self, values: Mapping[str, int]) -> dict[str, int] | None:
        """These sizes, if the contract allows them."""
        sizes = {**self.base, **values}
        return sizes if self.valid(sizes) else None

    def tensors(self) -> Iterator[tuple[int, Input]]:
        """The inputs that are tensors, with their numbers."""
        return ((index, item) for index, item in enumerate(self.inputs) if item.shape is not None)


def number(expr: Expr, sizes: Mapping[str, int]) -> Number | None:
    """An expression over symbols for these sizes."""
    return evaluate(expr, {Symbol(name): value for name, value in sizes.items()})


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of contiguous memory."""
    return tuple(math.prod(max(size, 1) for size in shape[index + 1 :]) for index in range(len(shape)))


def expression(size: facts.Size) -> Expr:
    """A size of the facts as an expression."""
    return Const(size) if isinstance(size, int) else parse(size)


def expressions(sizes: Iterable[facts.Size]) -> tuple[Expr, ...]:
    """The same for several."""
    return tuple(map(expression, sizes))


def solve(shapes: Iterable[tuple[Sequence[Expr], Sequence[int]]]) -> dict[str, int]:
    """The symbols for which these shapes have these sizes, as far as one size decides one symbol."""
    found: dict[str, int] = {}
    pairs = [pair for shape, sizes in shapes for pair in zip(shape, sizes, strict=False)]
    for expr, size in pairs:
        if isinstance(expr, Symbol):
            found[expr.name] = size
    for expr, size in pairs:
        open_ = symbols(expr) - found.keys()
        if len(open_) == 1:
            name = open_.pop()
            for value in range(SEARCH):
                if number(expr, {**found, name: value}) == size:
                    found[name] = value
                    break
    return found


def _numbers(exprs: Iterable[Expr], sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(int(number(expr, sizes) or 0) for expr in exprs)


def _one(expr: Expr | None) -> tuple[Expr, ...]:
    return () if expr is None else (expr,)
