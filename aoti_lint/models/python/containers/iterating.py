"""Built-in functions that go over items: those that give iterators, and those that use them up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aoti_lint.language import access, calls
from aoti_lint.language.comparisons import compare
from aoti_lint.language.data import containers, iterators, subscripts
from aoti_lint.language.flow.comprehensions import alike
from aoti_lint.language.operators import unary
from aoti_lint.language.tools import leave
from aoti_lint.language.truths import either, truth
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tensors.sizes import is_integer, some_integer
from aoti_lint.models.torch.versions import VERSION
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import FIRST_ROUND
from aoti_lint.values.identity import ident
from aoti_lint.values.sizes.reckoning import as_float
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Class, Const, Func, Many, Obj, Ref, Tup, Unknown, Value

MAX_CALLS = 24
"""Items for each of which a function is called."""
MAX_QUESTIONS = 8
"""Undecided truths that `any` and `all` put together."""


def gone_over(m: Machine, value: Value, whole: bool) -> list[Value] | Many | None:
    """What going over `value` gives; unless it is all taken at once, an iterator is left somewhere unknown."""
    value = m.see(value)
    if not whole:
        iterators.start(m, value)
    found = subscripts.iterate(m, value)
    if not whole:
        iterators.exhaust(m, value)
    return found


def in_step(m: Machine, values: list[Value], whole: bool) -> list[tuple[Value, ...]] | Many:
    """The rows of several things that are gone over together; one iterator may be among them more than once."""
    sources: list[Iterator[Value] | None] = []
    samples: list[Value] = []
    shared: dict[int, tuple[Obj, Iterator[Value]]] = {}
    for value in (m.see(v) for v in values):
        known = shared.get(value.ident) if isinstance(value, Obj) else None
        if known is not None:
            sources.append(known[1])
            samples.append(m.unknown(None, "an item of an iterator"))
            continue
        if sources and iterators.has_effects(m, value):
            # It may end before this one is asked for as many items, or for any.
            found = iterators.apart(m, False, lambda value=value: gone_over(m, value, False))  # type: ignore[misc]
        else:
            found = gone_over(m, value, whole and not (len(values) > 1 and iterators.has_effects(m, value)))
        source = iter(found) if isinstance(found, list) else None
        alike = isinstance(found, list) and found and all(i == found[0] for i in found)
        samples.append(
            found.element
            if isinstance(found, Many)
            else found[0]
            if isinstance(found, list) and alike
            else some_integer(m, "the number of a round")
            if isinstance(found, list) and found and all(map(is_integer, found))
            else m.unknown(None, "an unknown item")
        )
        sources.append(source)
        if isinstance(value, Obj) and value.kind == "iterator" and source is not None:
            shared[value.ident] = value, source
    columns = [s for s in sources if s is not None]
    if len(columns) < len(sources):
        for one, _ in shared.values():
            iterators.exhaust(m, one)
        return Many(Tup(tuple(samples)))
    rows = list(zip(*columns, strict=False))
    for one, source in shared.values() if whole else ():
        iterators.advance(m, one, list(source))
    return rows


@function("iter")
def _iter(m: Machine, call: Call) -> Value:
    if len(call.args) != 1:
        return iterators.over(m, None)

    def one(value: Value) -> Value:
        if value == VERSION or iterators.is_iterator(value) or isinstance(value, Unknown):
            return value
        if isinstance(value, Obj) and isinstance(value.cls, Class) and value.kind == "instance":
            own = access.class_member(m, value.cls, "__iter__")
            if own is not None and isinstance(own[0], Func):
                return calls.call(m, Call(call.node, []), access.bind(m, call.node, value, "__iter__", own[0]))
        return iterators.new(m, lambda whole: iterators.held(m, gone_over(m, value, whole)), pure=True)

    return lift(m, call.args[0], one)


@function("next")
def _next(m: Machine, call: Call) -> Value:
    return lift(m, call.arg(0) or NONE, lambda v: _advanced(m, call, v))


def _advanced(m: Machine, call: Call, given: Value) -> Value:
    if isinstance(given, Obj) and given.kind == "iterator":
        left = iterators.left(m, given, False)
        if isinstance(left, Many):
            return _early(left.element)
        if not isinstance(left, Tup):
            iterators.exhaust(m, given)
            return m.unknown(call.node, "the next item")
        if left.items:
            iterators.advance(m, given, list(left.items[1:]))
            return left.items[0]
        return call.args[1] if len(call.args) > 1 else leave(m, "StopIteration")
    if isinstance(given, Obj) and isinstance(given.cls, Class) and given.kind == "instance":
        own = access.class_member(m, given.cls, "__next__")
        if own is not None and isinstance(own[0], Func):
            return calls.call(m, Call(call.node, []), access.bind(m, call.node, given, "__next__", own[0]))
    element = containers.element_of(m, given)
    if element is not None:
        return element
    items = containers.items_of(m, given)
    # What is not an iterator here may stand for one that was advanced: only the first of alike items is sure.
    if items and all(alike(i, items[0]) for i in items):
        return items[0]
    return m.unknown(call.node, "the next item")


def _early(item: Value) -> Value:
    """One of many alike items that is asked for by itself: not the last one."""
    answer = FIRST_ROUND.get(str(item.cond.key[0])) if isinstance(item, Choice) else None
    return item if answer is None or not isinstance(item, Choice) else item.then if answer else item.other


@method("iterator", "send", "__next__")
def _send(m: Machine, call: Call, receiver: Value) -> Value:
    return _advanced(m, Call(call.node, [receiver]), receiver)


@method("iterator", "__iter__")
def _itself(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@method("iterator", "close")
def _close(m: Machine, call: Call, receiver: Value) -> Value:
    iterators.start(m, receiver)
    iterators.advance(m, receiver, [])
    return NONE


@method("iterator", "throw")
def _throw(m: Machine, call: Call, receiver: Value) -> Value:
    iterators.exhaust(m, receiver)
    return m.unknown(call.node, "what a generator yields after an exception")


@function("reversed")
def _reversed(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0) or NONE)

    def make(whole: bool) -> Value:
        found = subscripts.iterate(m, given)
        return iterators.held(m, found[::-1] if isinstance(found, list) else found)

    if isinstance(given, Obj) and given.kind == "instance":
        return iterators.over(m, None)
    return iterators.new(m, make, pure=True)


@function("enumerate")
def _enumerate(m: Machine, call: Call) -> Value:
    given, start = call.arg(0, "iterable") or NONE, m.see(call.arg(1, "start", Const(0)) or NONE)

    def make(whole: bool) -> Value:
        found = gone_over(m, given, whole)
        if isinstance(found, list) and isinstance(start, Const) and isinstance(start.value, int):
            return Tup(tuple(Tup((Const(start.value + i), item)) for i, item in enumerate(found)))
        if isinstance(found, list):
            return Tup(tuple(Tup((some_integer(m, "the number of a round"), item)) for item in found))
        item = found.element if isinstance(found, Many) else m.unknown(call.node, "an unknown item")
        return Many(Tup((some_integer(m, "the number of a round"), item)))

    return iterators.new(m, make)


@function("zip")
def _zip(m: Machine, call: Call) -> Value:
    def make(whole: bool) -> Value:
        if call.open:
            return iterators.held(m, None)
        rows = in_step(m, call.args, whole)
        return rows if isinstance(rows, Many) else Tup(tuple(Tup(row) for row in rows))

    return iterators.new(m, make)


@function("map")
def _map(m: Machine, call: Call) -> Value:
    if len(call.args) == 2 and m.see(call.args[1]) == VERSION:
        return VERSION

    def make(whole: bool) -> Value:
        rows = in_step(m, call.args[1:], whole) if not call.open else None
        if not isinstance(rows, list) or len(rows) > MAX_CALLS:
            some = m.unknown(call.node, "what map() gives")
            return Many(as_float(some)) if not call.open and m.see(call.args[0]) == Ref("float") else some
        called = [calls.call(m, Call(call.node, list(row)), call.args[0]) for row in rows]
        return Tup(tuple(called))

    return iterators.new(m, lambda whole: iterators.apart(m, whole, lambda: make(whole)))


@function("filter")
def _filter(m: Machine, call: Call) -> Value:
    return filtered(m, call, TRUE)


@function("itertools.filterfalse")
def _filter_false(m: Machine, call: Call) -> Value:
    return filtered(m, call, FALSE)


def filtered(m: Machine, call: Call, wanted: Value) -> Value:
    """The items for which a function gives a truth."""
    test, given = m.see(call.arg(0) or NONE), call.arg(1) or NONE

    def make(whole: bool) -> Value:
        found = gone_over(m, given, whole)
        if isinstance(found, Many):
            return found
        if found is None or len(found) > MAX_CALLS:
            return m.unknown(call.node, "what filter() gives")
        answers = [truth(m, i if test == NONE else calls.call(m, Call(call.node, [i]), test)) for i in found]
        if not all(isinstance(a, Const) for a in answers):
            return m.unknown(call.node, "what filter() gives")
        return Tup(tuple(i for i, a in zip(found, answers, strict=True) if a == wanted))

    return iterators.new(m, lambda whole: iterators.apart(m, whole, lambda: make(whole)))


def _quantifier(name: str) -> None:
    @function(name)
    def model(m: Machine, call: Call) -> Value:
        # It stops at the first item that decides.
        items = gone_over(m, call.arg(0) or NONE, False)
        if not isinstance(items, list):
            return m.unknown(call.node, f"{name}() of unknown items")
        answers = [truth(m, i) for i in items]
        if name == "all":
            answers = [unary(m, call.node, "not", a) for a in answers]
        result: Value = TRUE if TRUE in answers else FALSE
        open_ = [a for a in answers if not isinstance(a, Const)] if result == FALSE else []
        if len(open_) > MAX_QUESTIONS:
            return m.unknown(call.node, f"{name}() of too many unknown items")
        for answer in reversed(open_):
            result = either(m, answer, result)
        return unary(m, call.node, "not", result) if name == "all" else result


for _name in ("any", "all"):
    _quantifier(_name)


# ---------------------------------------------------------------- order


def python_of(value: Value) -> Any:
    """The Python value of a constant, or of a tuple of them. Raises `TypeError` for anything else."""
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Tup):
        return tuple(python_of(i) for i in value.items)
    raise TypeError(value)


def in_order(m: Machine, call: Call, items: list[Value]) -> list[Value] | None:
    """`sorted(items, key=..., reverse=...)`; None where the order cannot be told."""
    key, backwards = m.see(call.kwargs.get("key", NONE)), m.see(call.kwargs.get("reverse", FALSE))
    if call.open or not isinstance(backwards, Const) or len(items) > MAX_CALLS * 4:
        return None
    if key != NONE and len(items) > MAX_CALLS:
        return None
    keys = items if key == NONE else [calls.call(m, Call(call.node, [i]), key) for i in items]
    try:
        order = sorted(
            range(len(items)), key=[python_of(m.see(k)) for k in keys].__getitem__, reverse=bool(backwards.value)
        )
    except TypeError:
        return None
    return [items[i] for i in order]


@function("sorted")
def _sorted(m: Machine, call: Call) -> Value:
    found = subscripts.iterate(m, call.arg(0, "iterable") or NONE)
    made = m.new("list")
    if isinstance(found, Many):
        m.store.write(made.ident, "#items", found)
    else:
        containers.set_items(m, made, None if found is None else in_order(m, call, found))
    return made


@method("list", "sort")
def _sort(m: Machine, call: Call, receiver: Value) -> Value:
    found = subscripts.iterate(m, receiver)
    if isinstance(receiver, Obj) and not isinstance(found, Many):
        containers.set_items(m, receiver, None if found is None else in_order(m, call, found))
    return NONE


def _extreme(name: str) -> None:
    @function(name)
    def model(m: Machine, call: Call) -> Value:
        lost = Unknown(f"{name}({','.join(ident(a) for a in call.args)})", f"{name}() of unknowns")
        items = subscripts.iterate(m, call.args[0]) if len(call.args) == 1 else [m.see(a) for a in call.args]
        if not isinstance(items, list) or not set(call.kwargs) <= {"key", "default"}:
            return lost
        if not items:
            return call.kwargs.get("default", lost)
        key = {k: v for k, v in call.kwargs.items() if k == "key"}
        # The first of several that are equal; for the largest that means the order of `reverse`, which is stable.
        order = in_order(m, Call(call.node, [], {**key, "reverse": Const(name == "max")}, [], call.open), items)
        return lost if order is None else order[0]


for _name in ("max", "min"):
    _extreme(_name)


@method("iterator", "__contains__")
@method("view", "__contains__")
def _contains(m: Machine, call: Call, receiver: Value) -> Value:
    found = gone_over(m, receiver, False) if iterators.is_iterator(receiver) else subscripts.iterate(m, receiver)
    return compare(m, call.node, "in", call.args[0], iterators.held(m, found))
