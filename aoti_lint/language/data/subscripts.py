"""Items of values: read, set, deleted, and gone through by a loop."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, kinds
from aoti_lint.language.data import containers, iterators
from aoti_lint.language.effects import backward, exported_parts, exported_state, given_back, leftovers, marks
from aoti_lint.language.flow import unfit
from aoti_lint.machine import tables
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import ABSENT, Bound, Choice, Class, Const, Func, Many, Obj, Ref, Unknown, Value

MAX_ROWS = 8
"""Rows of a tensor that a loop goes through one by one."""


def get_item(m: Machine, node: nodes.Node, value: Value, key: Value) -> Value:
    """`value[key]`."""

    def apply(v: Value) -> Value:
        if isinstance(v, Obj) and isinstance(v.cls, Class) and v.kind == "instance":
            found = access.class_member(m, v.cls, "__getitem__")
            if found is not None and isinstance(found[0], Func):
                return calls.call(m, Call(node, [key]), Bound(v, "__getitem__", found[0]))
        if m.root.watch is not None:
            m.root.watch.looked_up(m, node, v, m.see(key))
        unfit.item(m, node, v, m.see(key), missing=False)
        model = tables.METHODS.get((kinds.tag_of(m, v), "__getitem__"))
        if model is not None:
            if m.root.watch is not None:
                return m.root.watch.item(m, node, v, key, model(m, Call(node, [key]), v))
            made = model(m, Call(node, [key]), v)
            marks.lose(m, v, m.see(made))
            return backward.carry(m, "__getitem__", [v], made)
        if isinstance(v, Ref | Class):
            # `list[int]`, `Generic[T]`, an enum member by name
            if isinstance(v, Class) and isinstance(key, Const) and isinstance(key.value, str) and "enum" in v.traits:
                return access.member_of_class(m, node, v, key.value)
            return v
        found_item = containers.lookup(m, v, m.see(key))
        if found_item is not None and found_item is not ABSENT:
            leftovers.met(m, node, m.see(found_item))
            return m.see(found_item)
        if found_item is ABSENT:
            unfit.item(m, node, v, m.see(key), missing=True)
            if m.root.watch is not None:
                m.root.watch.not_there(v, m.see(key))
            return m.unknown(node, "the key or index is not there")
        exported_parts.tell(m, node, v, "", "item")
        given = given_back.part(m, v, m.see(key))
        if given is not None:
            return given
        held = m.read(v.ident, "#items") if isinstance(v, Obj) else None
        whole = held if isinstance(held, Unknown) else v
        return Unknown(f"{ident(v)}[{ident(key)}]", access.lost_part(node, "an item", whole))

    return lift(m, value, apply)


def set_item(m: Machine, node: nodes.Node, value: Value, key: Value, new: Value) -> None:
    """`value[key] = new`."""
    value = m.see(value)
    if isinstance(value, Choice):
        then, other = value.then, value.other
        m.fork(value.cond, lambda: set_item(m, node, then, key, new), lambda: set_item(m, node, other, key, new))
    if m.root.watch is not None and isinstance(value, Tensor):
        m.root.watch.changed(m, node, value, "[]=", [key, new])
    exported_state.changed(m, node, value)
    if isinstance(value, Ref) and (stored := tables.FUNCTIONS.get(f"{value.name}.__setitem__")) is not None:
        stored(m, Call(node, [key, new]))
    if not isinstance(value, Obj):
        return
    if m.root.watch is not None:
        m.root.watch.filled(m, node, value, True)
    if isinstance(value.cls, Class) and value.kind == "instance":
        found = access.class_member(m, value.cls, "__setitem__")
        if found is not None and isinstance(found[0], Func):
            calls.call(m, Call(node, [key, new]), Bound(value, "__setitem__", found[0]))
        return
    model = tables.METHODS.get((kinds.tag_of(m, value), "__setitem__"))
    if model is not None:
        model(m, Call(node, [key, new]), value)
        return
    if value.kind == "dict":
        pairs = containers.dict_pairs(m, value)
        key = containers.as_stored(m, value, m.see(key))
        containers.set_pairs(m, value, None if pairs is None else containers.put(pairs, [(key, new)]))
        containers.write_through(m, value)
    elif value.kind in ("list", "module"):
        items = containers.items_of(m, value)
        if (
            items is not None
            and isinstance(key, Const)
            and isinstance(key.value, int)
            and -len(items) <= key.value < len(items)
        ):
            items[key.value] = new
            containers.set_items(m, value, items)
        else:
            containers.set_items(m, value, None)


def delete_item(m: Machine, node: nodes.Node, value: Value, key: Value) -> None:
    """`del value[key]`."""
    value = m.see(value)
    if isinstance(value, Choice):
        then, other = value.then, value.other
        m.fork(value.cond, lambda: delete_item(m, node, then, key), lambda: delete_item(m, node, other, key))
        return
    if isinstance(value, Obj) and isinstance(value.cls, Class) and value.kind == "instance":
        found = access.class_member(m, value.cls, "__delitem__")
        if found is not None and isinstance(found[0], Func):
            calls.call(m, Call(node, [key]), Bound(value, "__delitem__", found[0]))
        return
    model = tables.METHODS.get((kinds.tag_of(m, value), "__delitem__"))
    if model is not None:
        model(m, Call(node, [key]), value)
        return
    pairs = containers.dict_pairs(m, value)
    if isinstance(value, Obj) and value.kind in ("dict", "list"):
        kept = [(k, v) for k, v in pairs if k != key] if pairs is not None and containers.settled(key) else None
        if value.kind == "dict":
            containers.set_pairs(m, value, kept)
        else:
            containers.set_items(m, value, None)


def _rows(m: Machine, tensor: Tensor) -> list[Value] | Many | None:
    """The rows of a tensor: each where there are few of them, else one that stands for all."""
    count = m.see(tensor.shape[0]) if tensor.shape else None
    node = m.frame.at
    if not isinstance(count, Const) or not isinstance(count.value, int) or node is None:
        return None
    if count.value <= MAX_ROWS:
        return [get_item(m, node, tensor, Const(index)) for index in range(count.value)]
    return Many(get_item(m, node, tensor, Const(0)))


def iterate(m: Machine, value: Value) -> list[Value] | Many | None:
    """What a loop over `value` sees: all items, alike items in unknown number, or nothing known."""
    value = m.see(value)
    if value == Ref(access.VERSION):
        return Many(value)
    if isinstance(value, Tensor):
        if m.root.watch is not None:
            m.root.watch.iterated(m, value)
        return _rows(m, value)
    if isinstance(value, Obj) and value.kind == "instance" and isinstance(value.cls, Class):
        own = access.class_member(m, value.cls, "__iter__")
        if own is not None and isinstance(own[0], Func):
            given = m.see(calls.call(m, Call(own[0].node, []), Bound(value, "__iter__", own[0])))
            # One that is its own iterator is asked for each item, until it raises.
            iterators.start(m, given)
            return None if given == value or isinstance(given, Unknown) else iterate(m, given)
    items = containers.items_of(m, value)
    if items is None:
        items = containers.unless_given(m, value)
    if items is not None:
        return items
    element = containers.element_of(m, value)
    if element is not None:
        count = containers.count_of(m, value)
        iterators.exhaust(m, value)
        return Many(element, count)
    if isinstance(value, Class) and "enum" in value.traits:
        members = [v for _, v in m.store.slots(value.ident) if isinstance(v, Obj) and v.kind == "enum"]
        return list(dict.fromkeys(members))
    return None
