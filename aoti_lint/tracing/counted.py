"""Tensors that count up, as `torch.arange(x.shape[1])` does: rows of a table are looked up by them.

An export does not look at values: nothing asks whether the last row is there before the program is called.
"""

from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.tracing.operations import KEEPING_VALUES
from aoti_lint.values.identity import expr_of
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Size, SliceValue, Value

_WHOLE = SliceValue(Const(None), Const(None), Const(None))


@dataclass(slots=True)
class Counted:
    """`beyond` has, for the keys of tensors that count up, the first number that is not in them."""

    beyond: dict[str, Expr] = field(default_factory=dict)

    def method(self, name: str, source: Value, made: Value) -> None:
        """A method, or a function of torch by that name, made a tensor of another one."""
        if name in KEEPING_VALUES:
            self._same(source, made)

    def item(self, source: Value, keys: Iterable[Value], made: Value) -> None:
        """`source[keys]`: what adds dimensions leaves the values alone."""
        if all(key in (Const(None), Const(...), _WHOLE) for key in keys):
            self._same(source, made)

    def combined(self, op: str, values: list[Value], made: Value) -> None:
        """Positions may begin at another row than the first: `positions + 2`."""
        if op != "+" or len(values) != 2 or not isinstance(made, Tensor):
            return
        for one, other in (values, values[::-1]):
            if isinstance(one, Tensor) and one.key in self.beyond and isinstance(other, Const | Size):
                self.beyond[made.key] = Expr("+", self.beyond[one.key], expr_of(other))

    def _same(self, source: Value, made: Value) -> None:
        if isinstance(source, Tensor) and isinstance(made, Tensor) and source.key in self.beyond:
            self.beyond[made.key] = self.beyond[source.key]
