"""Parameters that a module keeps in lists and dicts, and in layers there, and where its forward uses one.

They are none of its parameters: a strict export, which looks for each among them, raises. Run on torch 2.13, see the
rule AOTI721.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from aoti_lint.ir import nodes
from aoti_lint.language.classes.modules import built_in, is_module
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.effects.compiled_results import METADATA
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.models.export.tracing import tensors_in
from aoti_lint.models.modules.layers import layers
from aoti_lint.models.modules.modes import registered
from aoti_lint.tracing.data.held import held_tensors
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.call import Call
from aoti_lint.values.events.forwards import OutsideUse
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Choice, Many, Obj, Pairs, Tup, Value

WITH_WEIGHTS = frozenset({"Linear", "Embedding"}).union(layers.CONVOLUTIONS, layers.RECURRENT)
"""Layers that have a parameter whatever they are made with."""
_ASKING = METADATA - {"detach", "view", "reshape"}
"""Methods that ask a parameter for what needs none of its values."""
DEEP = 3
"""How far lists and dicts inside each other are looked into."""


def outside(m: Machine, model: Value) -> dict[str | int, str]:
    """What is kept in lists and dicts of a model alone: parameters by their keys, modules by their identities.

    Each with the attribute that it is kept in. Empty where code that is not followed may have registered it.
    """
    modules = _modules(m, model)
    known: set[str | int] = set(modules)
    found: dict[str | int, str] = {}
    todo = [(module, "") for module in modules.values()]
    for module, outer in todo:
        if m.read(module.ident, HANDED) is not None:
            return {}
        for slot, held in list(m.store.slots(module.ident)):
            if not outer:
                known.update(_registered(held, within=slot.startswith("#")))
            if slot.startswith("#"):
                continue
            for one in _inside(m, m.see(held)):
                if isinstance(one, Tensor):
                    found[one.key] = outer or slot
                    continue
                more = {number: module for number, module in _modules(m, one).items() if number not in found}
                found |= dict.fromkeys(more, outer or slot)
                found |= {
                    each.tensor.key: outer or slot for each in held_tensors(m, one) if each.tensor.role == "parameter"
                }
                todo += [(each, outer or slot) for each in more.values()]
    return {one: slot for one, slot in found.items() if one not in known}


def _modules(m: Machine, module: Value) -> dict[int, Obj]:
    """A module and those inside it, by their identities."""
    found: dict[int, Obj] = {}
    todo = [module]
    while todo:
        one = todo.pop()
        if isinstance(one, Obj) and one.ident not in found and is_module(m, one):
            found[one.ident] = one
            todo += registered(m, one)
    return found


def _registered(value: Value, *, within: bool) -> Iterator[str]:
    """The keys of the tensors that an attribute may be, or that a container of torch may have `within`."""
    match value:
        case Tensor(key=key):
            yield key
        case Choice(then=then, other=other):
            yield from _registered(then, within=within)
            yield from _registered(other, within=within)
        case Tup(items) if within:
            for one in items:
                yield from _registered(one, within=within)
        case Pairs(pairs) if within:
            for _, one in pairs:
                yield from _registered(one, within=within)
        case Many(element) if within:
            yield from _registered(element, within=within)


def _inside(m: Machine, box: Value, depth: int = DEEP) -> Iterator[Tensor | Obj]:
    """The parameters and modules in a list, tuple or dict."""
    if not depth or not (isinstance(box, Tup) or (isinstance(box, Obj) and box.kind in ("list", "dict"))):
        return
    pairs = containers.dict_pairs(m, box)
    for held in containers.items_of(m, box) or () if pairs is None else [value for _, value in pairs]:
        one = m.see(held)
        if (isinstance(one, Tensor) and one.role == "parameter") or (isinstance(one, Obj) and is_module(m, one)):
            yield one
        else:
            yield from _inside(m, one, depth - 1)


@dataclass(slots=True)
class OutsideWatch(Watch):
    """`outside` is what the function of that name gives."""

    outside: dict[str | int, str] = field(default_factory=dict)
    uses: list[OutsideUse] = field(default_factory=list)

    def _used(self, m: Machine, node: nodes.Node, values: Iterable[Value]) -> None:
        for one in tensors_in(frozen.freeze(m, Tup(tuple(values)))):
            if one.key in self.outside:
                self._note(m, node, self.outside[one.key])

    def _note(self, m: Machine, node: nodes.Node, name: str) -> None:
        self.uses.append(OutsideUse(name, m.span(node), tuple(m.root.path.items())))

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        if name.startswith("torch.") and not name.rpartition(".")[2].startswith("is_"):
            self._used(m, site.node, site.values)
        return super().external(m, site, name, run)

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        if isinstance(receiver, Tensor) and name not in _ASKING:
            self._used(m, site.node, [receiver, *site.values])
        return super().method(m, site, receiver, name, run)

    def combined(self, m: Machine, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """An operator on tensors gave `made`."""
        self._used(m, node, values)
        return super().combined(m, node, op, values, made)

    def entered(self, m: Machine, node: nodes.Node, module: Obj) -> None:
        """A module is called."""
        cls = built_in(m, module.cls)
        if module.ident in self.outside and cls is not None and cls.name.rpartition(".")[2] in WITH_WEIGHTS:
            self._note(m, node, self.outside[module.ident])
