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
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.machine.machine import Machine, is_newer
from aoti_lint.models.export.tracing import tensors_in
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import StateLost
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Obj, Value


@dataclass(frozen=True, slots=True)
class _Stored:
    """An attribute was assigned, or what it holds changed: the keys of the tensors that it had and of those it gets."""

    name: str
    own: bool
    buffer: bool
    old: frozenset[str]
    new: frozenset[str]
    span: Span
    path: tuple[tuple[Cond, bool], ...]
    box: bool = False
    """Whether it is a container that was changed."""


ITEMS = "#items"
"""What stands for the items of a container among the attributes."""


def _of_self(node: nodes.Node) -> str:
    """The attribute of `self` whose items an operation changes; empty where it is another thing."""
    match node:
        case nodes.Call(func=nodes.Attr(base=nodes.Attr(base=nodes.Name(id="self"), name=name))):
            return name
        case nodes.Sub(base=nodes.Attr(base=nodes.Name(id="self"), name=name)):
            return name
        case nodes.AugAssign(target=nodes.Attr(base=nodes.Name(id="self"), name=name)):
            return name
    return ""


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
    begun: int = 0
    """The last identity from before the second call."""
    boxes: dict[int, tuple[Obj, frozenset[str]]] = field(default_factory=dict)
    """The containers that the second call changes, with the keys of the tensors that the first one left there."""
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

    def filled(self, m: Machine, node: nodes.Node, box: Obj, more: bool) -> None:
        """A container is about to be changed. What it has in the end is what the second call leaves there."""
        if not self.calls or is_newer(box.ident, self.begun):
            return
        at = m.frame.at
        if isinstance(at, nodes.AugAssign) and isinstance(at.target, nodes.Sub):
            return  # `self.states[0] += x` changes the tensor itself: AOTI703
        _, old = self.boxes.setdefault(box.ident, (box, _tensors(m, box)))
        name = _of_self(node)
        if more and old and name:
            path = tuple(m.root.path.items())
            made = _Stored(name, own=False, buffer=False, old=old, new=old, span=m.span(node), path=path, box=True)
            self.assigned.setdefault((box.ident, ITEMS), made)

    def returned(self, m: Machine, value: Value) -> None:
        """A call has ended."""
        self.calls += 1
        self.begun = m.last
        for number, (box, _) in self.boxes.items():
            if (number, ITEMS) in self.assigned:
                self.assigned[number, ITEMS] = replace(self.assigned[number, ITEMS], new=_tensors(m, box))
        self.given = {*_tensors(m, value), *(leaf.key for _, leaf in leaves(value) if isinstance(leaf, Tensor))}

    def lost(self) -> Iterator[StateLost]:
        """The attributes whose value the second call takes from the first, and changes."""
        for one in self.assigned.values():
            used = self.made_of(self.given, one.old)
            if self.calls > 1 and one.old != one.new and (used or self.made_of(one.new, one.old)):
                yield StateLost(one.name, one.span, one.own, one.buffer, used, one.path, one.box)
