"""Objects of the project under operators: equality and truth as their classes define them, enums as their values."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, comparisons, truths
from aoti_lint.language.classes import overloads
from aoti_lint.language.data import containers
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.values import FALSE, TRUE, Bound, Class, Const, Func, Obj, Ref, Text, Tup, Value

PLAIN_BASES = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol"})
DATA_BASES = frozenset({"str", "int", "float", "enum.IntEnum", "enum.StrEnum", "enum.IntFlag"})
"""Bases that make the members of an enum equal to their values."""


def plain_enum(m: Machine, value: Value) -> Value:
    """The value of an enum member that is also a string or number; anything else as it is."""
    if isinstance(value, Obj) and value.kind == "enum" and isinstance(value.cls, Class) and _is_data(m, value.cls):
        inner = m.read(value.ident, "value")
        if inner is not None:
            return inner
    return value


def _is_data(m: Machine, cls: Class) -> bool:
    """Whether the members of an enum are strings or numbers too."""
    return any(isinstance(c, Ref) and c.name in DATA_BASES for c in access.ancestors(m, cls))


def _is_pure(m: Machine, member: Obj) -> bool:
    """Whether an enum member is nothing but that: equal to no string or number."""
    cls = member.cls
    return isinstance(cls, Class) and all(
        isinstance(c, Class) or _is_plain(c) or (isinstance(c, Ref) and c.name in ("enum.Enum", "enum.Flag"))
        for c in access.ancestors(m, cls)
    )


def special_method(m: Machine, value: Value, name: str) -> Bound | None:
    """The method of an instance that the project's classes define for an operator."""
    found = access.class_member(m, value.cls, name) if isinstance(value, Obj) and isinstance(value.cls, Class) else None
    return Bound(value, name, found[0]) if found is not None and isinstance(found[0], Func) else None


def asked(m: Machine, node: nodes.Node, name: str, a: Value, b: Value) -> Value | None:
    """What the method `name` of the class of `a` says of `b`; None if the project defines none."""
    method = special_method(m, a, name)
    return None if method is None else calls.call(m, Call(node, [b]), method)


def equal(m: Machine, node: nodes.Node, a: Value, b: Value) -> Value:
    """`a == b` of two things that are not the same, at least one of them an object."""
    for one, other in ((a, b), (b, a)):
        method = special_method(m, one, "__eq__")
        if method is not None:
            return truths.truth(m, calls.call(m, Call(node, [other]), method))
        if isinstance(one, Obj) and one.kind == "enum" and isinstance(other, Const) and _is_pure(m, one):
            return FALSE
    if isinstance(a, Obj) and isinstance(b, Obj):
        if a.kind == b.kind == "enum" or all(_compared_by_identity(m, one) for one in (a, b)):
            return FALSE
        decided = _same_contents(m, node, a, b)
        if decided is not None:
            return decided
    return truths.ask(m, Cond(("==", ident(a), ident(b))))


def _same_contents(m: Machine, node: nodes.Node, a: Obj, b: Obj) -> Value | None:
    """Whether two containers, or two records of one class, hold equal things; None where that is not followed."""

    if a.kind == b.kind == "dict":
        first, second = containers.dict_pairs(m, a), containers.dict_pairs(m, b)
        if first is None or second is None or not all(isinstance(k, Const) for k, _ in first + second):
            return None
        if len(first) != len(second) or not all(any(containers.same(k, o) for o, _ in second) for k, _ in first):
            return FALSE
        rows = [(v, next(w for o, w in second if containers.same(k, o))) for k, v in first]
        return comparisons.all_equal(m, node, rows, Cond(("==", ident(a), ident(b))))
    if a.kind == b.kind == "list" or (a.cls == b.cls and a.kind == b.kind == "instance"):
        listed = a.kind == "list"
        one = containers.items_of(m, a) if listed else hooks.compared_items(m, a)
        two = containers.items_of(m, b) if listed else hooks.compared_items(m, b)
        if one is not None and two is not None:
            return comparisons.compare(m, node, "==", Tup(tuple(one)), Tup(tuple(two)))
    if a.kind == b.kind == "set":
        one, two = containers.items_of(m, a), containers.items_of(m, b)
        if one is not None and two is not None and all(isinstance(i, Const) for i in one + two):
            return Const(all(any(containers.same(i, o) for o in two) for i in one) and len(one) == len(two))
    return None


def text_of(m: Machine, value: Obj) -> Value:
    """`str()` of an object, as far as its class tells."""
    cls = value.cls
    if not isinstance(cls, Class):
        return Text((value,))
    made = overloads.text(m, None, value)
    if made is not None:
        return made
    bases = {b.name for b in access.ancestors(m, cls) if isinstance(b, Ref)}
    plain = plain_enum(m, value)
    if "enum.StrEnum" in bases and isinstance(plain, Const):
        return Const(str(plain.value))
    # What a member of another enum is in a text differs between `str()`, formatting and releases of Python.
    return Text((value,))


def _compared_by_identity(m: Machine, value: Obj) -> bool:
    """Whether nothing in the classes of an instance can make it equal to another."""
    if value.kind == "module":
        return True
    if value.kind != "instance" or not isinstance(value.cls, Class) or "dataclass" in value.cls.traits:
        return False
    return all(isinstance(c, Class) or _is_plain(c) for c in access.ancestors(m, value.cls))


def _is_plain(base: Value) -> bool:
    """Whether a class outside the project leaves equality and truth of its instances as Python has them."""
    return isinstance(base, Ref) and (base.name in PLAIN_BASES or base.name.startswith("torch.nn."))


def truth_of(m: Machine, value: Obj, cls: Class) -> Value:
    """Whether an instance is true: as its class says, else by its length, else always."""
    for name in ("__bool__", "__len__"):
        method = special_method(m, value, name)
        if method is not None and method.func is not None:
            return truths.truth(m, calls.call(m, Call(method.func.node, []), method))
    plain = all(isinstance(c, Class) or _is_plain(c) for c in access.ancestors(m, cls))
    known = plain or cls.traits & {"dataclass", "settings"}
    return TRUE if known else truths.ask(m, Cond(("truthy", ident(value)), "assumed"))
