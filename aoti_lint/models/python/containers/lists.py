"""Methods of lists, sets and tuples."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.flow.comprehensions import alike
from aoti_lint.language.tools import plain, slot
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import METHODS, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Const, Many, Obj, Tup, Unknown, Value

Items = list[Value]


# ---------------------------------------------------------------- lists


def change(m: Machine, owner: Value, apply: Callable[[Items], Items | None]) -> None:
    """Replace the items of a list or set on each alternative of what it holds; None: they are no longer known."""
    if not isinstance(owner, Obj):
        return

    def one(held: Value) -> Value:
        made = apply(list(held.items)) if isinstance(held, Tup) else None
        if made is None or len(made) > containers.MAX_ITEMS * 4:
            return Unknown(f"u{m.fresh()}", "the items of a list are not all known")
        return Tup(tuple(made))

    m.store.write(owner.ident, "#items", lift(m, slot(m, owner, "#items"), one))


def several(m: Machine, given: Value | None) -> Items | None:
    """The items of an argument that is iterated; None if they are not all known."""
    found = subscripts.iterate(m, given) if given is not None else None
    return found if isinstance(found, list) else None


def place(value: Value, size: int) -> int | None:
    """An index argument as a place in a list of `size` items; None if it is not known or outside."""
    if isinstance(value, Const) and isinstance(value.value, int) and -size <= value.value < size:
        return value.value % size if size else None
    return None


def _uncounted(m: Machine, owner: Obj, element: Value) -> None:
    """How many alike items a list holds is not known any more."""
    if containers.count_of(m, owner) is not None:
        m.store.write(owner.ident, "#items", Many(element))


def add(m: Machine, owner: Value, value: Value) -> None:
    """Append one item; a list of unknown length keeps its kind of item."""
    held = slot(m, owner, "#items") if isinstance(owner, Obj) else NONE
    if not (isinstance(held, Many) and alike(held.element, value)):
        change(m, owner, lambda items: [*items, value])
    elif isinstance(owner, Obj):
        _uncounted(m, owner, held.element)


@method("list", "append")
def _append(m: Machine, site: Call, receiver: Value) -> Value:
    add(m, receiver, site.arg(0, None, NONE) or NONE)
    return NONE


@method("list", "extend")
def _extend(m: Machine, site: Call, receiver: Value) -> Value:
    more = several(m, site.arg(0))
    change(m, receiver, lambda items: None if more is None else [*items, *more])
    return NONE


@method("list", "insert")
def _insert(m: Machine, site: Call, receiver: Value) -> Value:
    where, value = m.see(site.arg(0) or NONE), site.arg(1) or NONE

    def apply(items: Items) -> Items | None:
        if not (isinstance(where, Const) and isinstance(where.value, int)):
            return None
        items.insert(where.value, value)
        return items

    change(m, receiver, apply)
    return NONE


@method("list", "pop")
def _pop(m: Machine, site: Call, receiver: Value) -> Value:
    return _take(m, site, receiver, m.see(site.arg(0) or Const(-1)))


def _take(m: Machine, site: Call, receiver: Value, index: Value) -> Value:
    element = containers.element_of(m, receiver)
    if element is not None:
        if isinstance(receiver, Obj):
            _uncounted(m, receiver, element)
        return element
    items = containers.items_of(m, receiver)
    at = place(index, len(items)) if items is not None else None
    taken = items[at] if items is not None and at is not None else m.unknown(site.node, "an item that is not known")
    change(m, receiver, lambda held: _without(held, index))
    return taken


def _without(items: Items, index: Value) -> Items | None:
    at = place(index, len(items))
    return None if at is None else [*items[:at], *items[at + 1 :]]


def find(items: Items, value: Value) -> int | None:
    """The place of `value`, where it can be told for sure: identity, or all constants before it."""
    for i, item in enumerate(items):
        if containers.same(item, value):
            return i
        if not (isinstance(item, Const) and isinstance(value, Const)):
            return None
    return None


@method("list", "remove")
def _remove(m: Machine, site: Call, receiver: Value) -> Value:
    value = m.see(site.arg(0) or NONE)

    def apply(items: Items) -> Items | None:
        at = find(items, value)
        return None if at is None else [*items[:at], *items[at + 1 :]]

    change(m, receiver, apply)
    return NONE


@method("list", "clear")
@method("set", "clear")
def _clear(m: Machine, site: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        m.store.write(receiver.ident, "#items", Tup(()))
    return NONE


@method("list", "copy", "__copy__")
@method("set", "copy")
def copied(m: Machine, site: Call, receiver: Value) -> Value:
    if not isinstance(receiver, Obj):
        return receiver
    made = m.new(receiver.kind, receiver.cls)
    for name, held in list(m.store.slots(receiver.ident)):
        m.store.write(made.ident, name, m.see(held))
    return made


@method("list", "index")
@method("tuple", "index")
def _index(m: Machine, site: Call, receiver: Value) -> Value:
    items = containers.items_of(m, receiver)
    at = find(items, m.see(site.arg(0) or NONE)) if items is not None and len(site.args) == 1 else None
    return m.unknown(site.node, "the place of an item is not known") if at is None else Const(at)


@method("list", "count")
@method("tuple", "count")
def _count(m: Machine, site: Call, receiver: Value) -> Value:
    items = containers.items_of(m, receiver)
    known = plain(items) if items is not None else None
    value = m.see(site.arg(0) or NONE)
    if known is None or not isinstance(value, Const):
        return m.unknown(site.node, "how often an item is in a list is not known")
    return Const(known.count(value.value))


@method("list", "reverse")
def _reverse(m: Machine, site: Call, receiver: Value) -> Value:
    change(m, receiver, lambda items: items[::-1])
    return NONE


# ---------------------------------------------------------------- double-ended queues, which are lists here


@method("list", "appendleft")
def _append_left(m: Machine, site: Call, receiver: Value) -> Value:
    change(m, receiver, lambda items: [site.arg(0) or NONE, *items])
    return NONE


@method("list", "popleft")
def _pop_left(m: Machine, site: Call, receiver: Value) -> Value:
    return _take(m, site, receiver, Const(0))


@method("list", "extendleft", "rotate")
def _shuffle(m: Machine, site: Call, receiver: Value) -> Value:
    change(m, receiver, lambda _: None)
    return NONE


# ---------------------------------------------------------------- sets


def joined(first: Items, more: Items) -> Items | None:
    """The items of both, each once; None where equality cannot be told."""
    found = list(first)
    for item in more:
        if any(containers.same(item, f) for f in found):
            continue
        if found and not (containers.settled(item) and all(containers.settled(f) for f in found)):
            return None
        found.append(item)
    return found


@method("set", "add")
def _add(m: Machine, site: Call, receiver: Value) -> Value:
    change(m, receiver, lambda items: joined(items, [m.see(site.arg(0) or NONE)]))
    return NONE


@method("set", "update")
def _update_set(m: Machine, site: Call, receiver: Value) -> Value:
    for given in site.args:
        more = several(m, given)
        change(m, receiver, lambda items, more=more: None if more is None else joined(items, more))  # type: ignore[misc]
    return NONE


@method("set", "discard", "remove")
def _discard(m: Machine, site: Call, receiver: Value) -> Value:
    value = m.see(site.arg(0) or NONE)

    def apply(items: Items) -> Items | None:
        if not containers.settled(value) or not all(containers.settled(i) for i in items):
            return None
        return [i for i in items if not containers.same(i, value)]

    change(m, receiver, apply)
    return NONE


@method("set", "pop")
def _pop_any(m: Machine, site: Call, receiver: Value) -> Value:
    items = containers.items_of(m, receiver)
    only = items[0] if items is not None and len(items) == 1 else None
    change(m, receiver, lambda held: [] if len(held) == 1 else None)
    return m.unknown(site.node, "any item of a set") if only is None else only


SET_RESULTS: dict[str, Callable[[Items, Items], Items | None]] = {
    "union": joined,
    "intersection": lambda a, b: [i for i in a if i in b],
    "difference": lambda a, b: [i for i in a if i not in b],
}


def _combine(name: str) -> Callable[[Machine, Call, Value], Value]:
    def model(m: Machine, site: Call, receiver: Value) -> Value:
        made = m.new("set")
        found = containers.items_of(m, receiver)
        for given in site.args:
            more = several(m, given)
            # Whether two values are equal is only sure of constants.
            sure = found is not None and more is not None and plain([*found, *more]) is not None
            found = SET_RESULTS[name](found, more) if sure and found is not None and more is not None else None
        containers.set_items(m, made, found)
        return made

    return model


for _name in SET_RESULTS:
    METHODS["set", _name] = _combine(_name)


# ---------------------------------------------------------------- named tuples


@method("tuple", "_replace")
def _replace(m: Machine, site: Call, receiver: Value) -> Value:
    if not isinstance(receiver, Tup) or site.open or not set(site.kwargs) <= set(receiver.fields):
        return m.unknown(site.node, "the changed tuple is not known")
    items = tuple(site.kwargs.get(f, i) for f, i in zip(receiver.fields, receiver.items, strict=True))
    return Tup(items, receiver.fields, receiver.cls)


@method("tuple", "_asdict")
def _as_dict(m: Machine, site: Call, receiver: Value) -> Value:
    if not isinstance(receiver, Tup) or not receiver.fields:
        return m.unknown(site.node, "the fields of the tuple are not known")
    return containers.new_dict(m, [(Const(f), i) for f, i in zip(receiver.fields, receiver.items, strict=True)])
