"""What is run: cases, as recipes that say nothing of torch."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.quoting.frozen import Frozen

Kind = Literal["example", "size", "empty", "layout", "values", "repeat", "scalar", "outside"]
"""example: the exported sizes. size, empty: others that the contract allows. layout: memory as exported, but not at the
start of its storage. values: zeros, NaN, -inf, large. repeat: several calls, as buffers may change. scalar: another
Python value than the exported one. outside: one step beyond the contract, which nothing has to accept."""

KINDS: tuple[Kind, ...] = ("example", "size", "empty", "layout", "values", "repeat", "scalar", "outside")

Values = Literal["example", "normal", "zeros", "nan", "-inf", "large"]
Layout = Literal["plain", "offset", "transposed", "sliced", "expanded"]
Scalar = int | float | bool | str | None


class Call(Frozen):
    """One call: the values of the symbols, and the seed its numbers are drawn with."""

    sizes: dict[str, int] = Field(default={})
    seed: int = 0


class Change(Frozen):
    """What is other in one input than the contract has it: one of the fields after `input`."""

    input: int
    size: tuple[int, int] | None = None
    """A dim and its size."""
    dtype: str | None = None
    layout: Layout | None = None
    scalar: Scalar = None


class Case(Frozen):
    """A few calls of a freshly loaded model."""

    name: str
    kind: Kind
    calls: tuple[Call, ...]
    values: Values = "normal"
    layout: Layout = "plain"
    change: Change | None = None

    @property
    def inside(self) -> bool:
        """Whether the contract allows it. Another scalar counts: nothing at run time can refuse it."""
        return self.kind != "outside"


class Leaf(Frozen):
    """One leaf of the arguments of one call, with all that is needed to make it."""

    path: str
    kind: Literal["tensor", "value", "example"]
    index: int
    dtype: str = ""
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] | None = None
    """None is contiguous."""
    layout: Layout = "plain"
    values: Values = "normal"
    high: int = 2
    """Whole numbers are drawn below it."""
    seed: int = 0
    device: str = "cpu"
    value: Scalar = None
