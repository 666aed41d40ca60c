"""What looks on while the machine runs a forward, a fake or a kernel: all that the language and models tell it.

The observers themselves are in `aoti_lint.tracing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Obj, Size, Value

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Span
    from aoti_lint.ir import nodes
    from aoti_lint.values.call import Call
    from aoti_lint.values.conditions import Cond, Path

M = TypeVar("M", contravariant=True)
"""The machine, which stands above this."""


class Observer(Generic[M]):
    """Each method answers as a trial does, which follows everything at once."""

    __slots__ = ()

    if TYPE_CHECKING:
        sources: dict[str, tuple[str, ...]]
        """The tensors that each tensor was made of, by keys."""
        makers: dict[str, str]
        """The last word of the function or method that made a tensor; an operator has none."""
        layers: dict[str, str]
        """The class of the layer of `torch.nn` that made a tensor."""
        worked_out: dict[str, Expr]
        """What sizes are, by key, that are compared as unknown: they hold for what a kernel is usually given."""
        fitted: dict[str, tuple[Value, Value]]
        """By key, the size of two that broadcast: they are equal, or one is 1."""

    # ------------------------------------------------------------ what runs

    def note(
        self, m: M, kind: str, node: nodes.Node | None = None, size: Value | None = None,
        other: Expr | None = None, op: str = "", span: Span | None = None,
    ) -> None:  # fmt: skip
        """Something happened at `node` (default: the statement that runs)."""

    def knows_autocasts(self) -> bool:
        """Whether every autocast that has a say in what runs is known: not so in what is tried for itself."""
        return False

    def external(self, m: M, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        return run()

    def method(self, m: M, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        return run()

    def unfollowed(self) -> None:
        """Something is called of which nothing is known."""

    def memory_of(self, key: str) -> str | None:
        """The tensor whose memory another surely lies in, which may be itself, by keys; None: nobody looks at that."""
        return None

    def viewed(self, source: Tensor, made: Tensor, name: str) -> None:
        """`made` is a view of `source`, made by the method `name`."""

    def truth(self, m: M, size: Size, node: nodes.Node | None) -> Value:
        """The truth of a size."""
        raise NotImplementedError

    def compared(self, m: M, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
        """A comparison of which one side is a size."""
        raise NotImplementedError

    def searched(self, m: M, node: nodes.Node, item: Value, box: Value) -> None:
        """`item in box` is about to be answered."""

    def compared_dtypes(self, a: Value, b: Value) -> None:
        """Two values are compared that may be dtypes."""

    def compared_shapes(self, cond: Cond, pairs: list[tuple[Value, Value]]) -> None:
        """Two shapes are compared, which is the question `cond`."""

    def asked(self, m: M, tensor: Tensor, cond: Cond, node: nodes.Node | None) -> None:
        """The truth of a tensor is asked for."""

    def looks_into(self, m: M, node: nodes.Node, unless: str) -> None:
        """A layer looks into its mask, where nothing is given for the argument `unless`."""

    def branched(self, m: M, cond: Cond, first: object, second: object) -> None:
        """The script went one way or the other by a condition."""

    def branched_by_several(
        self, conds: Iterable[Cond], implied: tuple[Path, Path], first: object, second: object
    ) -> None:
        """The script went one way or the other by conditions joined with `and` and `or`."""

    def formatted(self, m: M, node: nodes.Node, template: str, items: list[Value]) -> None:
        """`template % items`."""

    def attribute(self, m: M, node: nodes.Node, name: str, source: Tensor, made: Value) -> None:
        """`source.name`."""

    def item(self, m: M, node: nodes.Node, source: Value, key: Value, made: Value) -> Value:
        """`source[key]`."""
        return made

    def combined(self, m: M, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """The operator `op` on tensors gave `made`."""
        return made

    def changed(self, m: M, node: nodes.Node, tensor: Tensor, name: str = "", by: Sequence[Value] = ()) -> None:
        """The values of a tensor are changed: by the method `name`, an operator, or `[]=`, given `by`."""

    def launched(self, m: M, node: nodes.Node, name: str) -> None:
        """A Triton kernel of this name is launched, which torch is not told of."""

    def unbound(self, m: M, node: nodes.Name) -> None:
        """A name is read that nothing binds that we saw."""

    def not_there(self, sequence: Value, key: Value) -> None:
        """An index was not in a sequence."""

    def not_unpacked(self, m: M, sequence: Value, targets: list[nodes.Expr]) -> None:
        """A sequence does not have as many items as it is unpacked into; or it is a tensor, which may have."""

    # ------------------------------------------------------------ what tracing asks

    def shown(self, m: M, node: nodes.Node, value: Value, spec: str) -> None:
        """`format(value, spec)`, where `spec` says something: a trial does not know the text."""

    def answered(self, m: M, answer: Value) -> Value:
        """The truth of something, where one answer is to be followed: a trial follows all of them."""
        return answer

    def operated(self, m: M, node: nodes.Node, run: Callable[[], Value]) -> Value:
        """An operator on tensors that stands at `node`."""
        return run()

    def weighed(self, m: M, node: nodes.Node, op: str, values: tuple[Value, ...]) -> None:
        """Numbers that are not sizes are compared, or their truth is asked for: a trial does not know them."""

    def iterated(self, m: M, tensor: Tensor) -> None:
        """A loop goes over a tensor: a trial does not know how often."""

    def looked_up(self, m: M, node: nodes.Node, box: Value, key: Value) -> None:
        """`key` is looked up in a dict or a list: a trial does not know what is there."""

    def entered(self, m: M, node: nodes.Node, module: Obj) -> None:
        """A module is called."""

    def filled(self, m: M, node: nodes.Node, box: Obj, more: bool) -> None:
        """A list, dict or set is about to be changed; `more`: something is put into it."""

    def stored(self, m: M, node: nodes.Node, owner: Obj, name: str, value: Value) -> None:
        """`owner.name = value`."""

    def marked(self, m: M, node: nodes.Node, tensor: Tensor, name: str) -> None:
        """`tensor.name = …`."""

    def returned(self, m: M, value: Value) -> None:
        """The forward of the model that is traced gives `value`."""

    def ended(self, changed: Mapping[tuple[object, str], Value]) -> None:
        """The forward of the model that is traced has ended; `changed` are the cells that it wrote, by their owners."""

    def counted(self, m: M, size: Size, step: int) -> int | None:
        """How many parts of `step` a size gives; None in a trial, which does not know."""
        return None

    def halved(self, m: M, size: Size, each: Expr, count: int) -> list[Value] | None:
        """The sizes of `count` parts, all but the last `each`; None in a trial, which does not know."""
        return None

    def spread(self, m: M, size: Size, count: int) -> list[Value] | None:
        """The sizes of `count` parts that differ by one at most; None in a trial, which does not know."""
        return None

    def fit(self, m: M, a: Value, b: Value) -> None:
        """Two sizes have to be the same: in a trial they are those of arguments that fit."""

    def reaches(self, m: M, size: Value, least: Value, proper: bool = False) -> None:
        """A size has to be `least` or more: in a trial it is."""

    def counts_up(self, made: Tensor, beyond: Value) -> None:
        """The numbers in a new tensor go up by one each, and end before `beyond`."""

    def table(self, m: M, node: nodes.Node, indices: Value, rows: Value) -> None:
        """The rows of a table that has so many are looked up by the numbers in `indices`."""

    def shrunk(self, m: M, size: Value) -> None:
        """A dimension of a new tensor is of this size."""

    def window(self, m: M, size: Value) -> None:
        """A dimension of the tensor that is made next is of this size: as often a window stands in the input."""

    def framed(self, m: M, size: Value, hop: int) -> None:
        """A Fourier transform goes over a row of this size with a window, in steps of `hop`."""

    def derived(self, m: M, made: Tensor) -> None:
        """A tensor was made of another one."""

    def unrolled(self, m: M, size: Value) -> None:
        """A layer runs once for each index of a dimension of this size."""

    def layer(self, given: Tensor, made: Tensor, *, flat: bool) -> None:
        """`made` came out of a layer that keeps what lies in rows; `flat`: it gives a matrix in rows for any matrix."""

    def lies_in_rows(self, tensor: Tensor) -> bool:
        """Whether a tensor is known to be contiguous by what made it."""
        return False

    def part(self, m: M, size: Value, bounds: list[Value], inside: bool = False) -> Value | None:
        """What a slice leaves of a size, as tracing takes it; None where that is not known."""
        return None

    def reshaped(self, m: M, source: tuple[Value, ...], sizes: tuple[Value, ...]) -> None:
        """A tensor of the sizes `source` is seen as one of `sizes`: in a trial that is possible."""
