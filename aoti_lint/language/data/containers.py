"""Lists, tuples, sets and dicts, as far as their items are known."""

from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.language.classes import objects, protocols
from aoti_lint.language.data import iterators
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.values.choices import choose, leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.meter import METER
from aoti_lint.values.torch_values import Device
from aoti_lint.values.values import (
    ABSENT,
    NONE,
    Choice,
    Class,
    Const,
    Func,
    Many,
    Namespace,
    Obj,
    Pairs,
    Ref,
    SliceValue,
    Sym,
    Text,
    Tup,
    Unknown,
    Value,
)

MAX_ITEMS = 64
MAX_PAIRS = 4 * MAX_ITEMS
MAX_NESTED = 5_000
"""Items of a tuple, with those of the tuples in it: 30 times `t = (t, t)` makes more than can be gone through."""


def items_of(m: Machine, value: Value) -> list[Value] | None:
    """The items an iteration over `value` gives, in order; None if they are not all known. It uses up an iterator."""
    value = m.see(value)
    match value:
        case Obj(kind="iterator"):
            return iterators.take(m, value)
        case Obj(kind="view"):
            return viewed(m, value)
        case Tup(items):
            return list(items)
        case Const(str() as text) if len(text) <= MAX_ITEMS:
            return [Const(c) for c in text]
        case Obj(ident=number, kind="list" | "set"):
            held = m.read(number, "#items")
            return list(held.items) if isinstance(held, Tup) else None
        case Obj(ident=number, kind="module"):
            held = m.read(number, "#items")
            return list(held.items) if isinstance(held, Tup) else None
        case Obj(kind="dict"):
            pairs = dict_pairs(m, value)
            return None if pairs is None else [k for k, _ in pairs]
        case Obj(kind="instance", cls=Class()):
            layers = m.read(value.ident, "#items") if protocols.own_method(m, value, "__iter__") is None else None
            return list(layers.items) if isinstance(layers, Tup) else protocols.items(m, value)
    return None


def element_of(m: Machine, value: Value) -> Value | None:
    """What every item of `value` is, where it holds an unknown number of alike items."""
    value = m.see(value)
    if isinstance(value, Obj) and value.kind == "instance" and isinstance(value.cls, Class):
        iterator = protocols.iterator(m, value)
        return None if iterator is None else element_of(m, iterator)
    if isinstance(value, Many):
        return value.element
    if isinstance(value, Obj) and value.kind in ("list", "set", "iterator"):
        held = iterators.left(m, value, False) if value.kind == "iterator" else m.read(value.ident, "#items")
        return held.element if isinstance(held, Many) else None
    return None


def count_of(m: Machine, value: Value) -> int | None:
    """How many alike items a list holds; None where that is not known."""
    value = m.see(value)
    held = m.read(value.ident, "#items") if isinstance(value, Obj) and value.kind == "list" else None
    return held.count if isinstance(held, Many) else None


VIEWED = "#viewed"
"""The slot of a view (`keys()`, `values()`, `items()`) that holds its dict; `#part` says what is seen of it."""


def viewed(m: Machine, view: Obj) -> list[Value] | None:
    """What a view of a dict shows now; None if the entries are not all known."""
    owner, part = m.read(view.ident, VIEWED), m.read(view.ident, "#part")
    pairs = dict_pairs(m, owner) if owner is not None else None
    if pairs is None:
        return None
    return [Tup((k, v)) if part == Const("items") else k if part == Const("keys") else v for k, v in pairs]


def dict_pairs(m: Machine, value: Value) -> list[tuple[Value, Value]] | None:
    """The pairs of a dict, or of what the project made in its image; None if they are not all known."""
    value = m.see(value)
    if isinstance(value, Obj) and value.kind == "instance" and isinstance(value.cls, Class):
        return protocols.pairs(m, value)
    if not (isinstance(value, Obj) and value.kind == "dict"):
        return None
    held = m.read(value.ident, "#items")
    return list(held.pairs) if isinstance(held, Pairs) else None


def common_pairs(m: Machine, value: Value) -> list[tuple[Value, Value]]:
    """The pairs with a constant for a key that a dict has on every way, where it has others on some."""
    value = m.see(value)
    held = (m.read(value.ident, "#items") if isinstance(value, Obj) and value.kind == "dict" else None) or NONE
    ways = [_constant(one) for _, one in leaves(held, m.root.path)]

    def entry(key: Value) -> Value:
        return lift(m, held, lambda one: _constant(one).get(key, one))

    return [(key, entry(key)) for key in ways[0] if all(key in one for one in ways)]


def _constant(held: Value) -> dict[Value, Value]:
    return {key: one for key, one in held.pairs if isinstance(key, Const)} if isinstance(held, Pairs) else {}


def set_pairs(m: Machine, owner: Obj, pairs: list[tuple[Value, Value]] | None) -> None:
    if pairs is None or len(pairs) > MAX_PAIRS:
        m.store.write(owner.ident, "#items", Unknown(f"u{m.fresh()}", "the entries of a dict are not all known"))
    else:
        m.store.write(owner.ident, "#items", Pairs(tuple(pairs)))


OWNER = "#attributes of"
"""The slot of a dict that is the `__dict__` of an object or a module."""
BEFORE = "#attributes before"
"""The slot of such a dict that holds what it was made with."""


def write_through(m: Machine, box: Obj) -> None:
    """After a change of a dict that is the `__dict__` of an object: the object has the attributes it holds."""
    owner = m.read(box.ident, OWNER)
    if not isinstance(owner, Obj | Namespace):
        return
    pairs = dict_pairs(m, box)
    if pairs is not None and all(isinstance(k, Const) for k, _ in pairs):
        before = m.read(box.ident, BEFORE)
        same = before.pairs if isinstance(before, Pairs) else ()
        for key, value in pairs:
            if (key, value) not in same:
                m.store.write(owner.ident, str(key.value) if isinstance(key, Const) else "", value)
        return
    own = [name for name, _ in m.store.slots(owner.ident)]
    shared = m.store.slots(owner.cls.ident) if isinstance(owner, Obj) and isinstance(owner.cls, Class) else ()
    for name in (*own, *(name for name, held in shared if not isinstance(held, Func))):
        # What rewrites a module's names from outside sets its settings, hardly its functions.
        kept = isinstance(owner, Namespace) and isinstance(m.read(owner.ident, name), Func | Class | Ref | Namespace)
        if not name.startswith("#") and not kept:
            m.store.write(owner.ident, name, Unknown(f"u{m.fresh()}", "it may be set through __dict__"))


def unique(items: list[Value]) -> list[Value] | None:
    """The items of a set made of these; None where it cannot be told which of them are equal."""
    kept = list(dict.fromkeys(items))
    if len(kept) < 2 or all(isinstance(i, Const) and not isinstance(i.value, float) for i in kept):
        # 1 and True are one member.
        plain = [i.value for i in kept if isinstance(i, Const)]
        return kept if len(set(plain)) == len(plain) or len(kept) < 2 else None
    return kept if all(isinstance(i, Device) for i in kept) else None


def set_items(m: Machine, owner: Obj, items: list[Value] | None) -> None:
    if items is None or len(items) > MAX_PAIRS:
        m.store.write(owner.ident, "#items", Unknown(f"u{m.fresh()}", "the items of a list are not all known"))
    else:
        m.store.write(owner.ident, "#items", Tup(tuple(items)))


def is_large(items: list[Value]) -> bool:
    """Whether a tuple of these items holds too many of them, at all levels, to be gone through."""
    count = 0
    todo = list(items)
    while todo and count <= MAX_NESTED:
        one = todo.pop()
        count += 1
        if isinstance(one, Tup):
            todo += one.items
        elif isinstance(one, Choice):
            todo += (one.then, one.other)
    return count > MAX_NESTED


def new_dict(m: Machine, pairs: list[tuple[Value, Value]] | None) -> Obj:
    """A new dict with these entries; None if they are not all known."""
    made = m.new("dict")
    set_pairs(m, made, pairs)
    return made


def dict_of(m: Machine, entry: Value | None) -> Obj:
    """A new dict whose entries are all like one: what is known of the keys by that, is known of the dict."""
    made = new_dict(m, None)
    key = m.see(entry.items[0]) if isinstance(entry, Tup) and len(entry.items) == 2 else None
    if isinstance(key, Unknown):
        m.store.write(made.ident, "#items", Unknown(key.key, "the entries of a dict are not all known"))
    return made


def same(a: Value, b: Value) -> bool:
    """Whether two values are surely equal: 1, 1.0 and True are."""
    if isinstance(a, Const) and isinstance(b, Const):
        return bool(a.value == b.value)
    return a == b


def put(pairs: Iterable[tuple[Value, Value]], more: Iterable[tuple[Value, Value]]) -> list[tuple[Value, Value]] | None:
    """`pairs` with the keys of `more` set, one after the other; None if an unknown key could be any before it."""
    found: dict[object, tuple[Value, Value]] = {}
    for key, value in pairs:
        found.setdefault(_hashed(key), (key, value))
    METER.spend(len(found))
    for key, value in more:
        METER.spend()
        at = _hashed(key)
        if at not in found and found and not settled(key):
            return None
        found[at] = found[at][0] if at in found else key, value
    return list(found.values())


def _hashed(key: Value) -> object:
    """What two keys have in common that are the same: 1, 1.0 and True do, a NaN has nothing in common with anything."""
    if not isinstance(key, Const):
        return key
    return key.value if key.value == key.value else object()


def settled(key: Value) -> bool:
    """Whether equality with other settled keys can be told."""
    if isinstance(key, Tup):
        return all(settled(i) for i in key.items)
    if isinstance(key, Obj) and isinstance(key.cls, Class) and key.kind == "instance":
        # Another instance may be equal to it.
        return "dataclass" not in key.cls.traits and all(
            getattr(statement, "name", "") != "__eq__" for statement in key.cls.node.body
        )
    return not isinstance(key, Unknown | Sym | Choice | Text | Many)


def as_stored(m: Machine, box: Value, key: Value) -> Value:
    """`key` as a dict holds it: an enum member that is a string is the same key as the string."""
    pairs = dict_pairs(m, box) or []
    plain = objects.plain_enum(m, key)
    if any(k == key for k, _ in pairs):
        return key
    return next((k for k, _ in pairs if objects.plain_enum(m, k) == plain), key)


def merge_dicts(m: Machine, dicts: list[Value]) -> Value:
    """A new dict with the entries of all, later ones winning."""
    merged: list[tuple[Value, Value]] = []
    for one in dicts:
        pairs = dict_pairs(m, one)
        if pairs is None:
            return new_dict(m, None)
        merged += pairs
    return new_dict(m, put((), merged))


def lookup(m: Machine, box: Value, key: Value) -> Value | None:
    """`box[key]`: `ABSENT` if it surely is not there, None if unknown."""
    if isinstance(key, Choice):
        return _either(key.cond, lookup(m, box, key.then), lookup(m, box, key.other), key)
    held = m.read(box.ident, "#items") if isinstance(box, Obj) else None
    if isinstance(box, Obj) and box.kind == "dict":
        return _in_dict(held, as_stored(m, box, key)) if held is not None else None
    if isinstance(held, Choice):
        cond = held.cond
        with m.assuming({cond: True}):
            then = lookup(m, box, key)
        with m.assuming({cond: False}):
            other = lookup(m, box, key)
        return _either(cond, then, other, key)
    items = items_of(m, box)
    if items is None:
        return element_of(m, box) if not isinstance(key, SliceValue) else None
    if isinstance(key, Const) and isinstance(key.value, int):
        return items[key.value] if -len(items) <= key.value < len(items) else ABSENT
    if isinstance(key, SliceValue) and all(isinstance(b, Const) for b in (key.lower, key.upper, key.step)):
        bounds = [b.value for b in (key.lower, key.upper, key.step) if isinstance(b, Const)]
        try:
            part = items[slice(*bounds)]  # type: ignore[arg-type]  # constants, of which `except` knows the wrong ones
        except (TypeError, ValueError):
            return ABSENT
        if isinstance(box, Const):
            return Const("".join(str(i.value) for i in part if isinstance(i, Const)))
        return Tup(tuple(part)) if isinstance(box, Tup) else m.new_list(part)
    return None


def _either(cond: Cond, then: Value | None, other: Value | None, key: Value) -> Value | None:
    """A choice of two items of which one may be unknown."""
    if then is None and other is None:
        return None
    lost = Unknown(
        f"item of {cond.key!r}[{ident(key)}]", "an item of something whose items are not known on one branch"
    )
    return choose(cond, lost if then is None else then, lost if other is None else other)


def _in_dict(held: Value, key: Value) -> Value | None:
    if isinstance(held, Choice):
        return _either(held.cond, _in_dict(held.then, key), _in_dict(held.other, key), key)
    if not isinstance(held, Pairs):
        return None
    for known, value in held.pairs:
        if same(known, key):
            return value
    if settled(key) and all(settled(k) for k, _ in held.pairs):
        return ABSENT
    return None


def deciding(m: Machine, value: Value) -> Cond | None:
    """The condition that decides what an iteration over `value` sees; None if there is none."""
    value = m.see(value)
    if isinstance(value, Obj) and value.kind == "view":
        value = m.read(value.ident, VIEWED) or value
    if isinstance(value, Obj) and value.kind == "iterator":
        held: Value | None = iterators.left(m, value, False)
    else:
        held = m.read(value.ident, "#items") if isinstance(value, Obj) else value
    return held.cond if isinstance(held, Choice) and unless_given(m, value) is None else None


def unless_given(m: Machine, value: Value) -> list[Value] | None:
    """The items of an option's default, each of them unknown where the user gives something else; else None."""
    value = m.see(value)
    if not isinstance(value, Choice) or value.cond.kind != "default" or not isinstance(value.other, Unknown):
        return None
    items = items_of(m, value.then)
    if items is None:
        return None
    key, reason = value.other.key, value.other.reason
    return [choose(value.cond, item, Unknown(f"{key}[{i}]", reason)) for i, item in enumerate(items)]
