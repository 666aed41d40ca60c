"""What a value is now, as a copy that later code cannot change: what is told of a call or an export."""

from __future__ import annotations

from aoti_lint.language.classes import objects
from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.values.choices import choose
from aoti_lint.values.identity import ident
from aoti_lint.values.meter import METER
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Choice, Class, Const, Obj, Pairs, Ref, Size, Sym, Tup, Unknown, Value

REGISTERED = "#registered"
"""The slot of a dataclass that torch takes apart: the names of the fields, in order."""
COPIED = frozenset({Choice, Tup, Obj, Unknown, Size})
"""Kinds of values that a copy may be another value of."""
ITEMS = "items:"
"""How the key of an unknown begins that stands for a list, set or dict; which of these follows."""
MOVED = "moved:"
"""How the key of a tensor begins that stands for an unknown that was moved: a tensor, or a module."""


def freeze(m: Machine, value: Value, depth: int = 6) -> Value:
    """A copy of `value` that later code cannot change: lists become tuples marked as lists, dicts become `Pairs`.

    What torch takes apart, an instance of a registered dataclass, becomes a tuple with the names of its fields.
    """
    METER.spend()
    value = m.see(value)
    if depth == 0 or type(value) not in COPIED:
        return value
    match value:
        case Choice(cond, then, other):
            with m.assuming({cond: True}):
                first = freeze(m, then, depth)
            with m.assuming({cond: False}):
                second = freeze(m, other, depth)
            return choose(cond, first, second)
        case Tup(items, fields, cls):
            return Tup(tuple(freeze(m, i, depth - 1) for i in items), fields, cls)
        case Obj(kind="list" | "set" as kind):
            held = containers.items_of(m, value)
            if held is None:
                stored = m.read(value.ident, "#items")
                if isinstance(stored, Choice):  # grown in one arm of a branch
                    return _frozen_items(m, stored, Ref(kind), depth)
                return Unknown(f"{ITEMS}{kind}:{value.ident}", "the items of a list are not all known")
            return Tup(tuple(freeze(m, i, depth - 1) for i in held), (), Ref(kind))
        case Obj(kind="dict"):
            pairs = containers.dict_pairs(m, value)
            if pairs is None:
                return Unknown(f"{ITEMS}dict:{value.ident}", "the entries of a dict are not all known")
            return Pairs(tuple((k, freeze(m, v, depth - 1)) for k, v in pairs))
        case Obj(kind="enum"):
            return objects.plain_enum(m, value)
        case Obj(kind="instance", cls=Class() as cls) if (names := m.read(cls.ident, REGISTERED)) is not None:
            return _taken_apart(m, value, cls, names, depth) or value
        case Unknown(key):
            # Of something that was moved we know where it is.
            place = m.read("moved", key)
            return value if place is None else Tensor(f"{MOVED}{key}", m.see(place))
        case _:
            return value


def _taken_apart(m: Machine, value: Obj, cls: Class, names: Value, depth: int) -> Tup | None:
    """An instance of a registered dataclass; None where a field may be None, and thus no part of it.

    Release 2.13.0, `torch/utils/_pytree.py`, `register_dataclass`.
    """
    found: list[tuple[str, Value]] = []
    for name in names.items if isinstance(names, Tup) else ():
        held = m.read(value.ident, str(name.value)) if isinstance(name, Const) else None
        if held is None or isinstance(held, Unknown | Sym | Choice):
            return None
        if held != NONE and isinstance(name, Const):
            found.append((str(name.value), freeze(m, held, depth - 1)))
    return Tup(tuple(held for _, held in found), tuple(name for name, _ in found), cls)


def is_taken_apart(value: Value) -> bool:
    """Whether a frozen value is an instance of a registered dataclass."""
    return isinstance(value, Tup) and isinstance(value.cls, Class) and "dataclass" in value.cls.traits


def _frozen_items(m: Machine, held: Value, kind: Ref, depth: int) -> Value:
    """What `freeze` makes of the items of a list, which a condition decides."""
    if isinstance(held, Choice):
        with m.assuming({held.cond: True}):
            first = _frozen_items(m, held.then, kind, depth)
        with m.assuming({held.cond: False}):
            second = _frozen_items(m, held.other, kind, depth)
        return choose(held.cond, first, second)
    if isinstance(held, Tup):
        return Tup(tuple(freeze(m, item, depth - 1) for item in held.items), (), kind)
    return Unknown(f"{ITEMS}{kind.name}:{ident(held)}", "the items of a list are not all known")
