"""Operators that classes of the project define: arithmetic, order, text, membership."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, comparisons, truths
from aoti_lint.language.classes import objects
from aoti_lint.language.data import texts
from aoti_lint.machine import alternatives, hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.values import Bound, Class, Func, Obj, Ref, Text, Tup, Value

NAMES = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "|": "or", "&": "and", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
ORDER = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparisons that say the same of two values the other way round."""
UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
REFUSED = Ref("NotImplemented")


def _asked(m: Machine, node: nodes.Node, one: Value, name: str, args: list[Value]) -> Value | None:
    """What the method of the class of `one` gives; None if it has none, or refuses."""
    method = objects.special_method(m, one, name)
    if method is None:
        return None
    made = calls.call(m, Call(node, args), method)
    return None if made == REFUSED else made


def arithmetic(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """`a op b` as their classes define it; None if neither does."""
    name = NAMES.get(op, "")
    made = _asked(m, node, a, f"__{name}__", [b])
    return _asked(m, node, b, f"__r{name}__", [a]) if made is None else made


def in_place(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """`a op= b` where the class of `a` defines it."""
    return _asked(m, node, a, f"__i{NAMES.get(op, '')}__", [b])


def negated(m: Machine, node: nodes.Node, op: str, value: Value) -> Value | None:
    return _asked(m, node, value, UNARY.get(op, ""), [])


def ordered(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """`a < b` and the like as their classes define it; None if neither does."""
    if op not in ORDER:
        return None
    made = _asked(m, node, a, ORDER[op], [b])
    made = _asked(m, node, b, ORDER[MIRRORED[op]], [a]) if made is None else made
    if made is not None:
        return made
    first, second = hooks.compared_items(m, a), hooks.compared_items(m, b)
    if first is None or second is None or not isinstance(a, Obj) or not isinstance(b, Obj) or a.cls != b.cls:
        return None
    by_fields = isinstance(a.cls, Class) and hooks.ordered_by_fields(a.cls)
    return comparisons.compare(m, node, op, Tup(tuple(first)), Tup(tuple(second))) if by_fields else None


def contains(m: Machine, node: nodes.Node, item: Value, box: Value) -> Value | None:
    """`item in box` as the class of `box` defines it."""
    made = _asked(m, node, box, "__contains__", [item])
    return None if made is None else truths.truth(m, made)


def text(m: Machine, node: nodes.Node | None, value: Obj) -> Value | None:
    """`str(value)` of an instance or enum member of the project, where its class tells."""
    for name in ("__str__", "__repr__"):
        method = objects.special_method(m, value, name)
        if method is not None and method.func is not None:
            made = calls.call(m, Call(node or method.func.node, []), method)
            return alternatives.lift(m, made, lambda t: t if texts.is_text(t) else Text((t,)))
        if value.kind == "enum" and name == "__str__":
            return None
    return None


def method_of_tuple(m: Machine, node: nodes.Node, value: Tup, name: str) -> Value | None:
    """A method or property that a class derived from a named tuple defines."""
    found = access.class_member(m, value.cls, name) if isinstance(value.cls, Class) else None
    if found is None:
        return None
    func = m.see(found[0])
    if not isinstance(func, Func):
        return func
    if func.role in access.PROPERTIES:
        return calls.call(m, Call(node, []), Bound(value, name, func))
    if func.role == "static":
        return func
    return Bound(value.cls if func.role == "class" and value.cls is not None else value, name, func)
