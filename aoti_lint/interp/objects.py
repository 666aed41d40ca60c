"""Objects of the project under operators: equality and truth as their classes define them, enums as their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.interp import access, calls, containers, operators
from aoti_lint.interp.conditions import Cond
from aoti_lint.interp.models.registry import Call
from aoti_lint.interp.values import FALSE, TRUE, Bound, Class, Const, Func, Obj, Ref, Tup, Value, ident

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes

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


METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "@": "matmul", "**": "pow",
    "|": "or", "&": "and", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip


def operated(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """`a op b` as the class of one of them defines it; None where no class of the project has a say."""
    for one, other, prefix in ((a, b, "__"), (b, a, "__r")):
        method = special_method(m, one, f"{prefix}{METHODS.get(op, '')}__")
        if method is not None:
            return calls.call(m, Call(node, [other]), method)
    if any(isinstance(one, Obj) and isinstance(one.cls, Class) and one.kind != "enum" for one in (a, b)):
        return m.unknown(node, "an operator of a class was not followed")
    return None


def equal(m: Machine, node: nodes.Node, a: Value, b: Value) -> Value:
    """`a == b` of two things that are not the same, at least one of them an object."""
    for one, other in ((a, b), (b, a)):
        method = special_method(m, one, "__eq__")
        if method is not None:
            return operators.truth(m, calls.call(m, Call(node, [other]), method))
        if isinstance(one, Obj) and one.kind == "enum" and isinstance(other, Const) and _is_pure(m, one):
            return FALSE
    if isinstance(a, Obj) and isinstance(b, Obj):
        if a.kind == b.kind == "enum" or all(_compared_by_identity(m, one) for one in (a, b)):
            return FALSE
        if a.kind == b.kind == "list":
            first, second = containers.items_of(m, a), containers.items_of(m, b)
            if first is not None and second is not None:
                return operators.compare(m, node, "==", Tup(tuple(first)), Tup(tuple(second)))
    return operators.ask(m, Cond(("==", ident(a), ident(b))))


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
            return operators.truth(m, calls.call(m, Call(method.func.node, []), method))
    plain = all(isinstance(c, Class) or _is_plain(c) for c in access.ancestors(m, cls))
    known = plain or cls.traits & {"dataclass", "settings"}
    return TRUE if known else operators.ask(m, Cond(("truthy", ident(value)), "assumed"))
