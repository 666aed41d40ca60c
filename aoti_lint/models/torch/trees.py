"""Functions over nested structures (`torch.utils._pytree`)."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.language import calls
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import GIVEN, KEYLESS, NAMED, NODE, Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.python import records
from aoti_lint.models.python.types import is_instance
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Obj, Ref, Tup, Unknown, Value

PYTREE = "torch.utils._pytree"
MAX_DEPTH = 8


class Opaque(Exception):
    """A part of the structure is not known."""


def mapped(m: Machine, value: Value, apply: Callable[[Value], Value], depth: int = 0) -> Value:
    """The structure with `apply` at its leaves. Tuples, lists and dicts are inner nodes, all else are leaves."""
    value = m.see(value)
    if depth > MAX_DEPTH:
        raise Opaque
    match value:
        case Tup(items, fields, cls):
            return Tup(tuple(mapped(m, i, apply, depth + 1) for i in items), fields, cls)
        case Obj(kind="list"):
            held = containers.items_of(m, value)
            if held is None:
                raise Opaque
            return m.new_list([mapped(m, i, apply, depth + 1) for i in held])
        case Obj(kind="dict"):
            pairs = containers.dict_pairs(m, value)
            if pairs is None:
                raise Opaque
            return containers.new_dict(m, [(k, mapped(m, v, apply, depth + 1)) for k, v in pairs])
        case Const(None):
            return NONE
        case _:
            return lift(m, value, apply)


def _whole(m: Machine, call: Call, tree: Value, apply: Callable[[Value], Value]) -> Value:
    try:
        return mapped(m, tree, apply)
    except Opaque:
        return m.unknown(call.node, "a structure that is not all known")


@function(f"{PYTREE}.tree_map", "optree.tree_map")
def _tree_map(m: Machine, call: Call) -> Value:
    func = call.arg(0, "func") or NONE
    if call.open or len(call.args) > 2:
        return m.unknown(call.node, "a function of several structures")
    return _whole(m, call, call.arg(1, "tree") or NONE, lambda v: calls.call(m, Call(call.node, [v]), func))


@function(f"{PYTREE}.tree_map_only")
def _tree_map_only(m: Machine, call: Call) -> Value:
    kinds, func = m.see(call.arg(0) or NONE), call.arg(1, "func") or NONE

    def apply(value: Value) -> Value:
        answer = is_instance(m, value, kinds)
        if answer == FALSE:
            return value
        return calls.call(m, Call(call.node, [value]), func) if answer == TRUE else Unknown(f"u{m.fresh()}", "a leaf")

    return _whole(m, call, call.arg(2, "tree") or NONE, apply)


def leaves_of(m: Machine, tree: Value) -> list[Value] | None:
    """The leaves of a structure, in order; None if they are not all known."""
    found: list[Value] = []

    def apply(value: Value) -> Value:
        if isinstance(value, Unknown):
            raise Opaque  # it may be a container
        found.append(value)
        return value

    try:
        mapped(m, tree, apply)
    except Opaque:
        return None
    return found


@function(f"{PYTREE}.tree_leaves", "optree.tree_leaves")
def _tree_leaves(m: Machine, call: Call) -> Value:
    made = m.new("list")
    containers.set_items(m, made, leaves_of(m, call.arg(0, "tree") or NONE))
    return made


@function(f"{PYTREE}.tree_flatten")
def _tree_flatten(m: Machine, call: Call) -> Value:
    tree = call.arg(0, "tree") or NONE
    made, spec = m.new("list"), opaque(m, "pytree spec")
    containers.set_items(m, made, leaves_of(m, tree))
    m.store.write(spec.ident, "#tree", tree)
    return Tup((made, spec))


@function(f"{PYTREE}.tree_unflatten")
def _tree_unflatten(m: Machine, call: Call) -> Value:
    items = containers.items_of(m, call.arg(0, "leaves") or NONE)
    spec = m.see(call.arg(1, "treespec") or NONE)
    if items is None or not isinstance(spec, Obj) or spec.cls != Ref("pytree spec"):
        return m.unknown(call.node, "a structure that is not all known")
    rest = list(items)

    def apply(_: Value) -> Value:
        if not rest:
            raise Opaque
        return rest.pop(0)

    return _whole(m, call, slot(m, spec, "#tree"), apply)


@function("torch.export.register_dataclass", f"{PYTREE}.register_dataclass")
def _register_dataclass(m: Machine, call: Call) -> Value:
    cls = m.see(call.arg(0, "cls") or NONE)
    if isinstance(cls, Class):
        m.store.write(cls.ident, GIVEN, TRUE)
        _note_name(m, call, cls)
        if "dataclass" in cls.traits and not call.open and not {"field_names", "drop_field_names"} & set(call.kwargs):
            names = [one.name for one in records.kept(m, cls) if records.is_given(m, one)]
            m.store.write(cls.ident, frozen.REGISTERED, Tup(tuple(map(Const, names))))
    elif not isinstance(cls, Ref):
        m.store.write("torch", GIVEN, TRUE)
    return NONE


@function(f"{PYTREE}.register_pytree_node", f"{PYTREE}._register_pytree_node")
def _register_node(m: Machine, call: Call) -> Value:
    cls = m.see(call.arg(0, "cls") or NONE)
    if isinstance(cls, Class):
        keyless = not call.open and call.kwargs.get("flatten_with_keys_fn", NONE) == NONE
        m.store.write(cls.ident, KEYLESS if keyless else GIVEN, TRUE if call.open else NODE)
        _note_name(m, call, cls)
    elif not isinstance(cls, Ref):
        m.store.write("torch", GIVEN, TRUE)
    return NONE


@function(f"{PYTREE}._register_namedtuple")
def _register_named_tuple(m: Machine, call: Call) -> Value:
    cls = m.see(call.arg(0, "cls") or NONE)
    m.store.write(cls.ident if isinstance(cls, Class) else "torch", NAMED, TRUE)
    return NONE


def _note_name(m: Machine, call: Call, cls: Class) -> None:
    """Remember that a class was given a name by which torch writes instances down, or may have been."""
    if call.open or call.kwargs.get("serialized_type_name", NONE) != NONE:
        m.store.write(cls.ident, NAMED, TRUE)
