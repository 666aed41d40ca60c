"""What looks on for numbers that are read out of tensors, and for tensors that stand where a number is wanted."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import some
from aoti_lint.tracing.data import worked_out
from aoti_lint.tracing.data.drawn import DrawnWatch, is_of
from aoti_lint.tracing.ranges import elements
from aoti_lint.values.call import Call
from aoti_lint.values.identity import ident
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
    made_of_numbers: dict[str, str] = field(default_factory=dict)
    """What functions of Python were given that made numbers of such numbers, by the keys of what they made."""

    def _of_data(self, tensor: Value) -> bool:
        """Whether a tensor surely is worked out of an input, a parameter or a buffer."""
        return isinstance(tensor, Tensor) and self.made_of([tensor.key], self.roots)

    def _is_number(self, value: Value) -> bool:
        """Whether a number is one that was read out of a tensor, or is worked out of one."""
        return any(is_of(value, key) for key in self.numbers)

    def _decided_as(self, value: Value) -> str:
        """`size` or `number`, if the values of a tensor decide this size or number."""
        key = value.key if isinstance(value, Unknown) else ""
        return "size" if key in self.data_sizes else "number" if key in self.numbers else ""

    def _compared_as(self, op: str, value: Value, compared: tuple[Value, ...]) -> str:
        """`size` or `number`, if a value is one that a tensor decides, or is made of one, and the answer is open."""
        kind = self._decided_as(value)
        if isinstance(value, Unknown) and kind and any(one != value and is_of(one, value.key) for one in compared):
            return kind if worked_out.differs(op, compared, (value.key,), self.made_of_numbers) else ""
        return kind or self._reckoned_as(op, value, compared)

    def _reckoned_as(self, op: str, value: Value, compared: tuple[Value, ...]) -> str:
        """`size` or `number`, if a value is worked out of one, and torch cannot know the answer of the comparison.

        So it is of a number with another added, or multiplied and compared with 0: of other multiples torch may know
        that no number has them.
        """
        if not isinstance(value, Unknown):
            return ""
        found = _RECKONED.fullmatch(value.key)
        if found and found[1] in self.numbers and (found[2] != "*" or (found[3] != "0" and Const(0) in compared)):
            return "number"
        if not worked_out.is_made(value, self.made_of_numbers):
            return ""
        if worked_out.differs(op, compared, self.numbers, self.made_of_numbers):
            return "number"
        for key, most in self.data_sizes.items():
            sizes = worked_out.SURE_SIZES if most is None else max(most, worked_out.SURE_SIZES)
            if worked_out.differs(op, compared, (key,), self.made_of_numbers, sizes):
                return "size"
        return ""

    def _works_out(self, m: Machine, site: Call, name: str, made: Value) -> None:
        """A function of Python was called, which may have been given such a number or size."""
        if name not in worked_out.FOLLOWED or not isinstance(made, Unknown) or site.open or site.kwargs:
            return
        given = site.values
        if name in worked_out.OF_MANY and len(given) == 1:
            given = [m.see(one) for one in containers.items_of(m, given[0]) or ()]
        elif name == "sum":
            return
        keys = {*self.numbers, *self.data_sizes}
        if keys and any(is_of(one, key) for one in given for key in keys):
            self.made_of_numbers[made.key] = f"{name}({','.join(map(ident, given))})"

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
