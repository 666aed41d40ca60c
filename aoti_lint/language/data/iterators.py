"""Iterators: what they still have to give. Each item is given once, and made when it is asked for.

An iterator is an object of the kind `iterator`. Its slot `#items` holds what is left: the items, alike items in unknown
number, nothing known, or, before the first of them is asked for, what makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.values.store import Cell
from aoti_lint.values.values import NONE, Many, Obj, Tup, Unknown, Value

T = TypeVar("T")

LASTING = frozenset({"files", "imported"})
"""Tables whose entries stay, whenever an iterator makes them."""


@dataclass(eq=False, slots=True)
class Lazy(Value):
    """What makes the items of an iterator.

    It is told whether all of them are taken at once, before anything else happens, and gives a `Tup`, a `Many` or
    something unknown.
    """

    make: Callable[[bool], Value]
    pure: bool = False
    """Whether making the items changes nothing."""


@dataclass(frozen=True, slots=True)
class UsedUp(Value):
    """Stands where something else may take the items of an iterator that `user` was to take."""

    user: Obj


MAKING: Cell = ("iterators", "making")
"""The cell that holds the iterator whose items are made now."""


def new(m: Machine, make: Callable[[bool], Value], pure: bool = False) -> Obj:
    """An iterator over what `make` will give."""
    made = m.new("iterator")
    m.store.write(made.ident, "#items", Lazy(make, pure))
    return made


def has_effects(m: Machine, value: Value) -> bool:
    """Whether taking items of `value` may change something besides."""
    held = m.read(value.ident, "#items") if isinstance(value, Obj) and value.kind == "iterator" else None
    return isinstance(held, UsedUp) or (isinstance(held, Lazy) and not held.pure)


def over(m: Machine, items: list[Value] | None, element: Value | None = None) -> Obj:
    """An iterator over these items; None: they are not all known, but each is like `element`, if that is given."""
    made = m.new("iterator")
    m.store.write(made.ident, "#items", held(m, items if element is None else Many(element)))
    return made


def is_iterator(value: Value) -> bool:
    return isinstance(value, Obj) and value.kind == "iterator"


def left(m: Machine, iterator: Obj, whole: bool) -> Value:
    """What an iterator has left, which is made now if it is not yet."""
    now = m.read(iterator.ident, "#items")
    if not isinstance(now, Lazy | UsedUp):
        return Unknown(f"u{m.fresh()}", "an iterator that was not followed") if now is None else now
    m.store.write(iterator.ident, "#items", Unknown(f"u{m.fresh()}", "an iterator that asks itself"))
    before = m.read(*MAKING)
    m.store.write(*MAKING, iterator)
    made = now.make(whole) if isinstance(now, Lazy) else _robbed(m, now.user)
    m.store.write(*MAKING, NONE if before is None else before)
    m.store.write(iterator.ident, "#items", made)
    return m.see(made)


def take(m: Machine, iterator: Obj, whole: bool = True) -> list[Value] | None:
    """All that an iterator has left, which is nothing afterwards; None if it is not known.

    If they are not taken at once, nobody knows how many of them are by the time anything else asks. Alike items in
    unknown number stay, for `containers.element_of` to ask.
    """
    found = left(m, iterator, whole)
    if isinstance(found, Many):
        return None
    lost = Unknown(f"u{m.fresh()}", "an iterator that was used before")
    m.store.write(iterator.ident, "#items", Tup(()) if whole and isinstance(found, Tup) else lost)
    return list(found.items) if isinstance(found, Tup) else None


def start(m: Machine, value: Value) -> None:
    """What follows takes the items of `value` one by one, and does other things between them."""
    if isinstance(value, Obj) and value.kind == "iterator":
        left(m, value, False)


def advance(m: Machine, value: Value, items: list[Value]) -> None:
    """`items` are left of an iterator; of anything else that can be iterated over, that means nothing."""
    if isinstance(value, Obj) and value.kind == "iterator":
        m.store.write(value.ident, "#items", Tup(tuple(items)))


def exhaust(m: Machine, value: Value) -> None:
    """Something we do not know may ask an iterator for its items: whatever that does is done now."""
    value = m.see(value)
    if isinstance(value, Obj) and value.kind == "iterator":
        left(m, value, False)
        user = m.read(*MAKING)
        lost = Unknown(f"u{m.fresh()}", "an iterator that was given away")
        m.store.write(value.ident, "#items", UsedUp(user) if isinstance(user, Obj) else lost)


def _robbed(m: Machine, user: Obj) -> Value:
    """The items of an iterator that `user` was to take, and that something else takes: what `user` gives is open."""
    m.store.write(user.ident, "#items", Unknown(f"u{m.fresh()}", "an iterator whose source was used by another"))
    return Unknown(f"u{m.fresh()}", "an iterator that another uses")


def held(m: Machine, found: list[Value] | Many | None) -> Value:
    """What `access.iterate` found, as the `#items` of an iterator."""
    if found is None:
        return Unknown(f"u{m.fresh()}", "the items of an iterator are not all known")
    return Tup(tuple(found)) if isinstance(found, list) else found


def apart(m: Machine, whole: bool, make: Callable[[], T]) -> T:
    """Make items; what that changes besides is only sure where all of them are taken at once."""
    m.store.push()
    try:
        made = make()
    finally:
        changes = m.store.pop()
    if whole:
        m.store.commit(changes)
    else:
        interleaved(m, changes, {}, lambda _: False)
    return made


def interleaved(
    m: Machine, changes: Mapping[Cell, Value], sure: Mapping[Cell, Value], mine: Callable[[Cell], bool]
) -> None:
    """Take over what making items changed, where other things happen between them.

    `sure` is what had changed before the first of them; `mine` says which cells nothing else can see.
    """
    for cell, value in changes.items():
        if mine(cell) or cell[0] in LASTING or sure.get(cell) == value:
            m.store.write(*cell, value)
        elif cell in sure or m.store.read(*cell) not in (None, value):
            # Whoever takes the items runs between the rounds, and sees it as it is by then.
            m.store.write(*cell, Unknown(f"u{m.fresh()}", "it is changed between the items of an iterator"))
        else:
            m.store.write(*cell, value)
