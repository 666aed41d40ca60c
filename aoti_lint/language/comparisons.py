"""Comparisons of abstract values: equal, the same, smaller, contained."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.language import kinds, operators, truths
from aoti_lint.language.classes import objects, overloads
from aoti_lint.language.data import containers
from aoti_lint.language.flow import unfit
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api.dtypes import CLASSES, DTYPES
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import FOLDS, Cond, option_kind
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, DimValue, Loaded, OnnxModel, Package, Program, ProgramModule, Tensor
from aoti_lint.values.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    Class,
    Const,
    Func,
    Namespace,
    Obj,
    Partial,
    PathValue,
    Ref,
    Size,
    Sym,
    Text,
    Tup,
    Unknown,
    Value,
)

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_FOLDED = tuple(FOLDS)
"""How the keys of texts end that a method made of others."""
SOMETHING = (
    Device, Tensor, Func, Class, Namespace, Bound, Partial, Ref, Program, ProgramModule, Package, Loaded, DimValue,
    PathValue, Text, Tup, Obj, OnnxModel,
)  # fmt: skip
"""Values that are surely not None."""


def compare(m: Machine, node: nodes.Node, op: str, left: Value, right: Value) -> Value:
    """`left op right` as `TRUE`, `FALSE`, or a choice of them by a condition; of tensors, a tensor."""
    if op == "!=":
        return lift(m, left, lambda a: lift(m, right, lambda b: _differ(m, node, a, b)))
    if op in ("is not", "not in"):
        positive = {"is not": "is", "not in": "in"}[op]
        return operators.unary(m, node, "not", compare(m, node, positive, left, right))
    return lift(m, left, lambda a: lift(m, right, lambda b: _compare(m, node, op, a, b)))


def _differ(m: Machine, node: nodes.Node, a: Value, b: Value) -> Value:
    if isinstance(a, Obj) or isinstance(b, Obj):
        own = objects.asked(m, node, "__ne__", a, b)
        if own is not None:
            return own
    same = _compare(m, node, "==", a, b)
    if isinstance(same, Tensor):
        return same
    # What is a truth already is not asked for by this.
    return lift(m, same, lambda v: Const(not v.value) if isinstance(v, Const) else operators.unary(m, node, "not", v))


def _compare(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    if op == "in":
        unfit.searched(m, node, b)
        if m.root.watch is not None:
            m.root.watch.searched(m, node, a, b)
        return _contains(m, node, a, b)
    if op in unfit.ORDERS:
        unfit.operands(m, node, op, a, b)
    if op in COMPARE and (isinstance(a, Tensor) or isinstance(b, Tensor)) and NONE not in (a, b):
        made = tables.OPERATORS["Tensor"](m, node, op, a, b)
        if made is not None:
            return made
    if isinstance(a, Obj) or isinstance(b, Obj):
        decided = overloads.ordered(m, node, op, a, b) if operators.is_ours(a) or operators.is_ours(b) else None
        if decided is not None:
            return decided
        a, b = objects.plain_enum(m, a), objects.plain_enum(m, b)
    if isinstance(a, Const) and isinstance(b, Const):
        if op == "is":
            return Const(type(a.value) is type(b.value) and a.value == b.value)
        try:
            return Const(bool(COMPARE[op](a.value, b.value)))
        except TypeError:
            return m.unknown(node, "the values cannot be compared")
    if m.root.watch is not None:
        m.root.watch.compared_dtypes(a, b)
        if isinstance(a, Size) or isinstance(b, Size):
            return m.root.watch.compared(m, node, op, a, b)
        m.root.watch.weighed(m, node, op, (a, b))
    versions = hooks.compared_release(m, op, a, b)
    if versions is not None:
        return versions
    if op in ("==", "is"):
        return _equal(m, node, op, a, b)
    if isinstance(a, Tup) and isinstance(b, Tup) and all(isinstance(i, Const) for i in a.items + b.items):
        try:
            return Const(bool(COMPARE[op](tuple(_plain(i) for i in a.items), tuple(_plain(i) for i in b.items))))
        except TypeError:
            return m.unknown(node, "the values cannot be compared")
    return truths.ask(m, Cond((op, ident(a), ident(b)), _kind(m, "==" if op == "is" else op, a, b)))


MAX_COMPARED = 16
"""Items of two containers that are compared one by one."""


def all_equal(m: Machine, node: nodes.Node, pairs: list[tuple[Value, Value]], otherwise: Cond) -> Value:
    """Whether the values of each pair are equal; a question of its own where that is not known of all."""
    if len(pairs) > MAX_COMPARED and not all(isinstance(v, Const) for pair in pairs for v in pair):
        return truths.ask(m, otherwise)
    answers = []
    for one, other in pairs:
        answer = truths.truth(m, compare(m, node, "==", one, other))
        if answer == FALSE:
            return FALSE
        answers.append(answer)
    return TRUE if all(a == TRUE for a in answers) else truths.ask(m, otherwise)


def _plain(value: Value) -> Any:
    return value.value if isinstance(value, Const) else None


def _equal(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    if isinstance(b, Sym | Unknown) and not isinstance(a, Sym | Unknown):
        a, b = b, a
    if a == b:
        return TRUE
    if isinstance(a, Sym | Unknown):
        known = a.known if isinstance(a, Sym) and isinstance(b, Const) else ()
        if known and b not in (objects.plain_enum(m, one) for one in known):
            return FALSE
        if b == NONE and a.key.endswith(_FOLDED):
            return FALSE
        subject = b if isinstance(b, Const) else ident(b)
        return truths.ask(m, Cond(("eq", a.key, subject), _kind(m, "==", a, b), getattr(a, "origin", "")))
    if isinstance(a, Const) and a.value is None:
        a, b = b, a
    if isinstance(b, Const) and b.value is None:
        return FALSE if isinstance(a, SOMETHING) else truths.ask(m, Cond(("none", ident(a))))
    if isinstance(a, Tup) and isinstance(b, Tup):
        if len(a.items) != len(b.items):
            return FALSE
        if op == "==":
            pairs, question = list(zip(a.items, b.items, strict=True)), Cond((op, ident(a), ident(b)))
            if m.root.watch is not None:
                m.root.watch.compared_shapes(question, pairs)
            return all_equal(m, node, pairs, question)
    if op == "==" and (isinstance(a, Obj) or isinstance(b, Obj)):
        return objects.equal(m, node, a, b)
    if type(a) is type(b) and isinstance(a, Device | Class | Ref | Obj | Func):
        if isinstance(a, Ref) and isinstance(b, Ref) and a.name in CLASSES and b.name in CLASSES:
            return Const(DTYPES.get(a.name, a.name) == DTYPES.get(b.name, b.name))
        # Two references may name one thing; two devices, classes or objects that differ, differ.
        return FALSE if not isinstance(a, Ref) else truths.ask(m, Cond(("same", ident(a), ident(b))))
    return truths.ask(m, Cond((op, ident(a), ident(b)), _kind(m, "==" if op == "is" else op, a, b)))


def _contains(m: Machine, node: nodes.Node, item: Value, box: Value) -> Value:
    if operators.is_ours(box):
        own = overloads.contains(m, node, item, box)
        if own is not None:
            return own
    model = tables.METHODS.get((kinds.tag_of(m, box), "__contains__"))
    if model is not None:
        return model(m, Call(node, [item]), box)
    pairs = containers.dict_pairs(m, box)
    members = [k for k, _ in pairs] if pairs is not None else containers.items_of(m, box)
    if members is not None and item in members and not isinstance(item, Sym | Unknown):
        return TRUE
    plain = members is not None and all(isinstance(i, Const) for i in members)
    if members is not None and (
        (plain and isinstance(item, Const | Sym | Unknown)) or all(containers.settled(i) for i in (item, *members))
    ):
        result: Value = FALSE
        for member in members:
            result = truths.either(m, compare(m, node, "==", item, member), result)
        return result
    if members is not None and len(members) <= MAX_COMPARED:
        answers = [truths.truth(m, compare(m, node, "==", item, member)) for member in members]
        if TRUE in answers or all(a == FALSE for a in answers):
            return Const(TRUE in answers)
    if m.root.watch is not None:
        m.root.watch.compared_dtypes(item, box)
    return truths.ask(m, Cond(("in", ident(item), ident(box)), _kind(m, "in", item, box)))


def _kind(m: Machine, op: str, *values: Value) -> str:
    """What decides a comparison: for an option, whether its default says yes."""
    if not any(isinstance(v, Sym) for v in values):
        return "unknown"
    plain = [objects.plain_enum(m, v.default) if isinstance(v, Sym) and v.default is not None else v for v in values]
    known = [v.value for v in plain if isinstance(v, Const)]
    if len(known) < 2 or op not in COMPARE:
        return option_kind(None)
    try:
        return option_kind(bool(COMPARE[op](*known)))
    except TypeError:
        return option_kind(None)
