"""What looks on while the forward of an exported model runs twice, for numbers that the second call finds changed.

What a forward keeps in Python (a counter, the length of a list) is read once, at the export. Run on torch 2.13, see the
rule AOTI707.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.data import containers, frozen
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.models.export.tracing import tensors_in
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import NumberKept
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Obj, SliceValue, Tup, Value

Place = tuple["Span", ...]
"""An operation, and the calls that lead to it."""


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation on tensors that ran: the constants it was given, and the key of what it made or changed."""

    constants: tuple[object, ...]
    key: str
    path: tuple[tuple[Cond, bool], ...]


@dataclass(slots=True)
class RepeatWatch(Watch):
    """The operations of two calls, in the order in which they ran."""

    steps: list[dict[Place, list[_Step]]] = field(default_factory=lambda: [{}])
    given: set[str] = field(default_factory=set)
    """The keys of the tensors that the second call gives."""

    def _ran(self, m: Machine, node: nodes.Node, values: Sequence[Value], made: Value) -> None:
        constants = tuple(one for value in values for one in _constants(m, m.see(value)))
        for tensor in self._tensors(m, made):
            step = _Step(constants, tensor.key, tuple(m.root.path.items()))
            self.steps[-1].setdefault((*m.root.chain, m.span(node)), []).append(step)

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        made = super().external(m, site, name, run)
        if name.startswith("torch."):
            self._ran(m, site.node, site.values, made)
        return made

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        made = super().method(m, site, receiver, name, run)
        if isinstance(receiver, Tensor) and not name.endswith("_"):
            self._ran(m, site.node, site.values, made)
        return made

    def combined(self, m: Machine, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """An operator on tensors gave `made`."""
        self._ran(m, node, values, made)
        return super().combined(m, node, op, values, made)

    def item(self, m: Machine, node: nodes.Node, source: Value, key: Value, made: Value) -> Value:
        """`source[key]`."""
        if isinstance(source, Tensor):
            self._ran(m, node, [key], made)
        return super().item(m, node, source, key, made)

    def changed(self, m: Machine, node: nodes.Node, tensor: Tensor, name: str = "", by: Sequence[Value] = ()) -> None:
        """The values of a tensor are changed."""
        super().changed(m, node, tensor, name, by)
        key, sure = self.base_of(tensor.key)
        if sure:
            self._ran(m, node, by, Tensor(key, tensor.device))

    def returned(self, m: Machine, value: Value) -> None:
        """A call has ended."""
        outputs = [frozen.freeze(m, leaf) for _, leaf in leaves(value)]
        self.given = {one.key for leaf in outputs for one in tensors_in(leaf)}
        self.steps.append({})

    def kept(self) -> Iterator[NumberKept]:
        """The operations that reach the result, and get another number in the second call."""
        if len(self.steps) < 3:
            return
        first, second = self.steps[:2]
        for place, later in second.items():
            before = first.get(place, [])
            if len(before) != len(later):
                continue
            for one, other in zip(before, later, strict=True):
                pair = _difference(one.constants, other.constants)
                if pair is not None and self.made_of(self.given, {other.key}):
                    yield NumberKept(place[-1], str(pair[0]), str(pair[1]), other.path)
                    break


def _constants(m: Machine, value: Value) -> list[object]:
    """The numbers in an argument, in order; what is no number stands as a word."""
    match value:
        case Const(number) if isinstance(number, int | float):
            return [number]
        case Tup(items):
            return [one for item in items for one in _constants(m, m.see(item))]
        case SliceValue(lower, upper, step):
            return [one for item in (lower, upper, step) for one in _constants(m, m.see(item))]
        case Obj(kind="list") if (held := containers.items_of(m, value)) is not None:
            return [one for item in held for one in _constants(m, m.see(item))]
    return [type(value).__name__]


def _difference(first: tuple[object, ...], second: tuple[object, ...]) -> tuple[object, object] | None:
    """The one pair of numbers that differ, of arguments that are alike otherwise."""
    if len(first) != len(second):
        return None
    found = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if not found or any(isinstance(one, str) for pair in found for one in pair):
        return None
    return found[0]
