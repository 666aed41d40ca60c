"""Operators on abstract values: arithmetic, joining, negation."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from aoti_lint.ir import nodes
from aoti_lint.language import kinds, truths
from aoti_lint.language.classes import overloads
from aoti_lint.language.data import containers, texts
from aoti_lint.language.effects import backward
from aoti_lint.language.flow import unfit
from aoti_lint.machine import tables
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.values.identity import combined, ident
from aoti_lint.values.sizes.reckoning import MAX_NUMBER, NUMBERS, as_float, is_float, reckoned
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.values import Class, Const, Many, Obj, Size, Tup, Unknown, Value

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    **NUMBERS, "**": operator.pow, "|": operator.or_, "&": operator.and_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
MAX_JOINED = 1_000
"""Items of a sequence that was put together from others: doubling fills the memory in 30 lines."""


def binary(m: Machine, node: nodes.Node, op: str, left: Value, right: Value) -> Value:
    """`left op right`."""
    made = lift(m, left, lambda a: lift(m, right, lambda b: _binary(m, node, op, a, b)))
    return backward.carry(m, op, [left, right], made)


def _binary(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    unfit.operands(m, node, op, a, b)
    if isinstance(a, Const) and isinstance(b, Const) and not (op == "%" and isinstance(a.value, str)):
        return _fold(m, node, op, a.value, b.value)
    made = overloads.arithmetic(m, node, op, a, b) if is_ours(a) or is_ours(b) else None
    made = made or _of_containers(m, node, op, a, b) or kinds.operated(m, node, op, a, b)
    if made is not None:
        return made
    if any(is_ours(one) and one.kind != "enum" for one in (a, b)):
        return m.unknown(node, "an operator of a class was not followed")
    if isinstance(a, Size) or isinstance(b, Size):
        return combined(op, a, b)
    return reckoned(op, a, b)


def _of_containers(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """Strings, tuples, lists and dicts: joined, repeated, filled in."""
    if op == "+" and (texts.is_text(a) and texts.is_text(b)) and not (isinstance(a, Size) or isinstance(b, Size)):
        return texts.concat([a, b])
    if op == "%" and isinstance(a, Const) and isinstance(a.value, str):
        return texts.percent(m, node, a.value, b)
    if isinstance(a, Tup) and isinstance(b, Tup) and op == "+":
        fits = len(a.items) + len(b.items) <= MAX_JOINED
        return Tup(a.items + b.items) if fits else m.unknown(node, texts.TOO_LARGE)
    if isinstance(a, Tup) and op == "*" and (again := repeated(a.items, b)) is not None:
        return Tup(tuple(again))
    if isinstance(b, Tup) and op == "*":
        return _binary(m, node, op, b, a)
    if isinstance(a, Obj) and a.kind == "list":
        return _list_operator(m, node, op, a, b)
    if isinstance(a, Obj) and a.kind == "dict" and op == "|":
        return containers.merge_dicts(m, [a, b])
    return None


def is_ours(value: Value) -> TypeGuard[Obj]:
    """Whether the value is an object whose class the project defines."""
    return isinstance(value, Obj) and isinstance(value.cls, Class)


def _fold(m: Machine, node: nodes.Node, op: str, a: object, b: object) -> Value:
    apply = BINARY.get(op)
    if apply is None:
        return m.unknown(node, f"the operator {op} was not followed")
    sizes = [len(v) for v in (a, b) if isinstance(v, str | bytes)]
    numbers = [v for v in (a, b) if isinstance(v, int | float)]
    if (sizes and max(sizes) * max([1, *(abs(n) for n in numbers)]) > texts.MAX_TEXT) or (
        op in ("**", "<<") and any(abs(n) > 64 for n in numbers[1:])
    ):
        return m.unknown(node, texts.TOO_LARGE)
    try:
        made = apply(a, b)
    except Exception:  # whatever the operator raises, the script would raise too
        return m.unknown(node, f"{op} fails on these values")
    if isinstance(made, int) and abs(made) > MAX_NUMBER:
        return m.unknown(node, "the number is too large to follow")
    return Const(made)


def repeated(items: Sequence[Value], times: Value) -> list[Value] | None:
    """`items * times`, if that is known and of a size that can be followed."""
    if not (isinstance(times, Const) and isinstance(times.value, int) and 0 <= times.value <= 64):
        return None
    return list(items) * times.value if len(items) * times.value <= MAX_JOINED else None


def _list_operator(m: Machine, node: nodes.Node, op: str, a: Obj, b: Value) -> Value:
    first = containers.items_of(m, a)
    if op == "+":
        second = containers.items_of(m, b)
        if first is not None and second is not None and len(first) + len(second) <= MAX_JOINED:
            return m.new_list([*first, *second])
    if op == "*" and first is not None and (again := repeated(first, b)) is not None:
        return m.new_list(again)
    alike = op == "*" and first and all(one == first[0] for one in first)
    if alike and first and isinstance(b, Const) and type(b.value) is int and b.value > 0:
        made = m.new("list")
        m.store.write(made.ident, "#items", Many(first[0], len(first) * b.value))
        return made
    return m.unknown(node, "the items of a list are not known")


def unary(m: Machine, node: nodes.Node, op: str, value: Value) -> Value:
    if op == "not":
        asked = truths.truth(m, value, node.value if isinstance(node, nodes.Unary) else node)
        return lift(m, asked, lambda v: Const(not v.value) if isinstance(v, Const) else v)

    def apply(v: Value) -> Value:
        unfit.operand(m, node, op, v)
        if is_ours(v):
            made = overloads.negated(m, node, op, v)
            if made is not None:
                return made
        if isinstance(v, Const) and isinstance(v.value, int):
            return Const(~v.value if op == "~" else -v.value if op == "-" else +v.value)
        if isinstance(v, Const) and isinstance(v.value, float) and op != "~":
            return Const(-v.value if op == "-" else v.value)
        if isinstance(v, Size) and op == "-":
            return combined("neg", v)
        made = tables.OPERATORS[kinds.tag_of(m, v)](m, node, op, v, None) if isinstance(v, Tensor | DimValue) else None
        if made is None:
            made = Unknown(f"({op}{ident(v)})", "arithmetic with an unknown")
            return as_float(made) if is_float(v) else made
        return made

    return lift(m, value, apply)
