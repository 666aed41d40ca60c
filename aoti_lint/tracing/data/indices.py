"""What looks on for numbers that are read out of tensors, and for tensors that stand where a number is wanted."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import some
from aoti_lint.tracing.data.drawn import DrawnWatch, is_of
from aoti_lint.tracing.ranges import elements
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Obj, SliceValue, Tup, Unknown, Value

_DTYPES = frozenset({"torch.int64", "torch.int32", "torch.int16", "torch.int8", "torch.bool"})
"""The dtypes of tensors that are indices."""

_RECKONED = regex(r"\(<([^<>()]+)>([+*-])(\d+)\)")
"""The key of a number that is worked out of another one and a whole number."""
_LISTED = 32
"""Numbers that `tolist()` gives, as many of which are followed."""


@dataclass(slots=True)
class IndexWatch(DrawnWatch):
    """`roots` are the keys of inputs, parameters and buffers, and of what is drawn at random."""

    roots: frozenset[str] = frozenset()
    numbers: set[str] = field(default_factory=set)
    """The keys of numbers that were read out of tensors."""

    def _of_data(self, tensor: Value) -> bool:
        """Whether a tensor surely is worked out of an input, a parameter or a buffer."""
        return isinstance(tensor, Tensor) and self.made_of([tensor.key], self.roots)

    def _is_number(self, value: Value) -> bool:
        """Whether a number is one that was read out of a tensor, or is worked out of one."""
        return any(is_of(value, key) for key in self.numbers)

    def _reckoned_as(self, value: Value, compared: tuple[Value, ...]) -> str:
        """`number`, if a value is such a number with one added, or multiplied and compared with 0.

        Of other multiples torch may know that no number has them.
        """
        found = _RECKONED.fullmatch(value.key) if isinstance(value, Unknown) else None
        if found is None or found[1] not in self.numbers:
            return ""
        return "number" if found[2] != "*" or (found[3] != "0" and Const(0) in compared) else ""

    def _listed(self, m: Machine, tensor: Value, made: Value) -> Value:
        """The numbers in a tensor of one dimension, if there are few; else `made`."""
        count = elements(tensor)
        if not isinstance(tensor, Tensor) or len(tensor.shape or ()) != 1 or count is None or count > _LISTED:
            return made
        numbers = [some(m, "a number out of a tensor") for _ in range(count)]
        self.numbers |= {one.key for one in numbers}
        return m.new_list([*numbers])

    def _assigned_at(self, m: Machine, node: nodes.Node, key: Value) -> None:
        """An item of a tensor is assigned to: torch makes a number of each index that has no dimensions."""
        parts = [m.see(one) for one in key.items] if isinstance(key, Tup) else [key]
        for one in parts:
            bounds = [m.see(bound) for bound in (one.lower, one.upper)] if isinstance(one, SliceValue) else []
            if self._is_index(one):
                self._use(m, "index", node, "an assignment at an index that is a tensor without dimensions")
            elif len(parts) > 1 and self._is_number(one):
                self._use(m, "index", node, "an assignment at one of several indices that is a number out of a tensor")
            elif any(map(self._is_index, bounds)):
                self._use(m, "read", node, "an assignment to a slice that begins or ends at a tensor")

    def _asked_at(self, m: Machine, node: nodes.Node, key: Value) -> None:
        """An item of a tensor is asked for.

        Of a list with a tensor in it torch makes one, as `torch.tensor` does. A tensor without dimensions becomes a
        number where Python is traced, and everywhere if it is no number or stands beside other tensors.
        """
        parts = [m.see(one) for one in key.items] if isinstance(key, Tup) and key.cls is None else [key]
        indices = list(filter(self._is_index, parts))
        for one in parts:
            items = containers.items_of(m, one) if isinstance(one, Obj) and one.kind == "list" else None
            if any(self._is_index(m.see(item)) for item in items or ()):
                self._use(m, "index", node, "an index that is a list with a tensor in it")
        if any(isinstance(one, Tensor) and one.dtype == "torch.bool" for one in indices):
            self._use(m, "index", node, "an index that is a bool tensor without dimensions")
        elif indices and any(isinstance(one, Tensor) and one.shape for one in parts):
            self._use(m, "index", node, "an index of several tensors, one of them without dimensions,")
        elif indices:
            self._use(m, "place", node, "an index that is a tensor without dimensions")

    def _is_index(self, value: Value) -> bool:
        """Whether something is a tensor of data that stands for one index."""
        return isinstance(value, Tensor) and value.shape == () and value.dtype in _DTYPES and self._of_data(value)
