"""What only those ask for who follow a forward as torch traces it: a trial of open sizes has nothing to say to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from aoti_lint.interp.symbols import Expr
from aoti_lint.interp.values import Obj, Size, Tensor, Value

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes


class TracingHooks:
    """Called by the machine and its models; each answers as a trial does, which follows everything at once."""

    __slots__ = ()

    def shown(self, m: Machine, node: nodes.Node, value: Value, spec: str) -> None:
        """`format(value, spec)`, where `spec` says something: a trial does not know the text."""

    def answered(self, m: Machine, answer: Value) -> Value:
        """The truth of something, where one answer is to be followed: a trial follows all of them."""
        return answer

    def operated(self, m: Machine, node: nodes.Node, run: Callable[[], Value]) -> Value:
        """An operator on tensors that stands at `node`."""
        return run()

    def weighed(self, m: Machine, node: nodes.Node, values: tuple[Value, ...]) -> None:
        """Numbers that are not sizes are compared, or their truth is asked for: a trial does not know them."""

    def iterated(self, m: Machine, tensor: Tensor) -> None:
        """A loop goes over a tensor: a trial does not know how often."""

    def looked_up(self, m: Machine, node: nodes.Node, box: Value, key: Value) -> None:
        """`key` is looked up in a dict or a list: a trial does not know what is there."""

    def stored(self, m: Machine, node: nodes.Node, owner: Obj, name: str, value: Value) -> None:
        """`owner.name = value`."""

    def returned(self, m: Machine, value: Value) -> None:
        """The forward of the model that is traced gives `value`."""

    def ended(self, changed: Iterable[object]) -> None:
        """The forward of the model that is traced has ended; `changed` are the identities of what it changed."""

    def counted(self, m: Machine, size: Size, step: int) -> int | None:
        """How many parts of `step` a size gives; None in a trial, which does not know."""
        return None

    def halved(self, m: Machine, size: Size, each: Expr, count: int) -> list[Value] | None:
        """The sizes of `count` parts, all but the last `each`; None in a trial, which does not know."""
        return None

    def spread(self, m: Machine, size: Size, count: int) -> list[Value] | None:
        """The sizes of `count` parts that differ by one at most; None in a trial, which does not know."""
        return None

    def fit(self, m: Machine, a: Value, b: Value) -> None:
        """Two sizes have to be the same: in a trial they are those of arguments that fit."""

    def reaches(self, m: Machine, size: Value, least: Value, proper: bool = False) -> None:
        """A size has to be `least` or more: in a trial it is."""

    def shrunk(self, m: Machine, size: Value) -> None:
        """A dimension of a new tensor is of this size."""

    def window(self, m: Machine, size: Value) -> None:
        """A dimension of the tensor that is made next is of this size: as often a window stands in the input."""

    def derived(self, made: Tensor) -> None:
        """A tensor was made of another one."""

    def unrolled(self, m: Machine, size: Value) -> None:
        """A layer runs once for each index of a dimension of this size."""

    def part(self, m: Machine, size: Value, bounds: list[Value], inside: bool = False) -> Value | None:
        """What a slice leaves of a size, as tracing takes it; None where that is not known."""
        return None

    def reshaped(self, m: Machine, source: tuple[Value, ...], sizes: tuple[Value, ...]) -> None:
        """A tensor of the sizes `source` is seen as one of `sizes`: in a trial that is possible."""
