"""What looks on while the forward of an exported model runs twice, for what it keeps in attributes between calls.

An exported program keeps buffers that are changed in place, and those that are assigned to the exported module itself
where the export was not strict. Other tensors that are assigned to attributes are gone after the call: the next one
finds what was there at the export. Run on torch 2.13, see the rule AOTI704.
"""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.data import frozen
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.models.export.tracing import tensors_in
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import StateLost
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Obj, Value


@dataclass(frozen=True, slots=True)
class _Stored:
    """An attribute was assigned: the keys of the tensors that it had and of those that it gets."""

    name: str
    own: bool
    buffer: bool
    old: frozenset[str]
    new: frozenset[str]
    span: Span
    path: tuple[tuple[Cond, bool], ...]


def _tensors(m: Machine, value: Value) -> frozenset[str]:
    """The keys of the tensors that an attribute holds: one, or those of a tuple, list or dict."""
    return frozenset(tensor.key for tensor in tensors_in(frozen.freeze(m, value)))


@dataclass(slots=True)
class StateWatch(Watch):
    """`buffers` are the keys of the buffers of the model before the first call, `model` is its identity."""

    buffers: frozenset[str] = frozenset()
    model: int | None = None
    given: set[str] = field(default_factory=set)
    """The keys of the tensors that the second call gives."""
    calls: int = 0
    of_buffers: set[tuple[int, str]] = field(default_factory=set)
    """The buffers that the first call assigns, by module and name."""
    assigned: dict[tuple[int, str], _Stored] = field(default_factory=dict)
    """What the second call assigns first to each attribute."""

    def stored(self, m: Machine, node: nodes.Node, owner: Obj, name: str, value: Value) -> None:
        """An attribute of a module is assigned. In the second call, what it had is what the first one left."""
        old, new = _tensors(m, m.store.read(owner.ident, name) or value), _tensors(m, value)
        if not old or not new or not is_module(m, owner):
            return
        if isinstance(m.frame.at, nodes.AugAssign):
            return  # `self.state += x` changes the tensor itself: AOTI703
        place = owner.ident, name
        if self.calls:
            own = self.model in (None, owner.ident) and place in self.of_buffers
            made = _Stored(name, own, place in self.of_buffers, old, new, m.span(node), tuple(m.root.path.items()))
            self.assigned.setdefault(place, made)
        elif old <= self.buffers:
            self.of_buffers.add(place)

    def returned(self, m: Machine, value: Value) -> None:
        """A call has ended."""
        self.calls += 1
        self.given = {*_tensors(m, value), *(leaf.key for _, leaf in leaves(value) if isinstance(leaf, Tensor))}

    def lost(self) -> Iterator[StateLost]:
        """The attributes whose value the second call takes from the first, and changes."""
        for one in self.assigned.values():
            used = self.made_of(self.given, one.old)
            if self.calls > 1 and one.old != one.new and (used or self.made_of(one.new, one.old)):
                yield StateLost(one.name, one.span, one.own, one.buffer, used, one.path)
