"""Operators on abstract values: arithmetic, comparison, truth."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from aoti_lint.interp.conditions import Cond, common, decide, option_kind, usual
from aoti_lint.interp.machine import ENVIRONMENT, condition_of
from aoti_lint.interp.reckoning import MAX_NUMBER, NUMBERS, reckoned
from aoti_lint.interp.values import (
    FALSE,
    NONE,
    TRUE,
    Absent,
    Bound,
    Choice,
    Class,
    Const,
    Device,
    DimValue,
    Func,
    Loaded,
    Namespace,
    Obj,
    Package,
    Partial,
    PathValue,
    Program,
    ProgramModule,
    Ref,
    Size,
    Sym,
    Tensor,
    Text,
    Tup,
    Unknown,
    Value,
    choose,
    combined,
    count_leaves,
    ident,
    leaves,
)
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

T = TypeVar("T")

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    **NUMBERS, "**": operator.pow, "|": operator.or_, "&": operator.and_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
SOMETHING = (
    Device, Tensor, Func, Class, Namespace, Bound, Partial, Ref, Program, ProgramModule, Package, Loaded, DimValue,
    PathValue, Text, Tup, Obj,
)  # fmt: skip
"""Values that are surely not None."""
_PLAIN_FIELD = re.compile("%[sdi]")
_WIDE = re.compile(r"[0-9]{5}|%[-+ #0]*\*")
MAX_TEXT = 10_000
TOO_LARGE = "the result is too large to follow"
MAX_JOINED = 1_000
"""Items of a sequence that was put together from others: doubling fills the memory in 30 lines."""


def lift(m: Machine, value: Value, apply: Callable[[Value], Value]) -> Value:
    """`apply` to every alternative of `value`."""
    value = m.see(value)
    if isinstance(value, Choice):
        cond, saved = value.cond, m.path
        try:
            m.path = {**saved, cond: True}
            then = lift(m, value.then, apply)
            m.path = {**saved, cond: False}
            other = lift(m, value.other, apply)
        finally:
            m.path = saved
        return choose(cond, then, other)
    return apply(value)


def lift_all(m: Machine, values: list[Value], apply: Callable[[list[Value]], Value]) -> Value:
    """`apply` to every combination of the alternatives of `values`."""

    def step(index: int, chosen: list[Value]) -> Value:
        if index == len(values):
            return apply(chosen)
        return lift(m, values[index], lambda v: step(index + 1, [*chosen, v]))

    return step(0, [])


def binary(m: Machine, node: nodes.Node, op: str, left: Value, right: Value) -> Value:
    """`left op right`."""
    return lift(m, left, lambda a: lift(m, right, lambda b: _binary(m, node, op, a, b)))


def _binary(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    if isinstance(a, Const) and isinstance(b, Const) and not (op == "%" and isinstance(a.value, str)):
        return _fold(m, node, op, a.value, b.value)
    if _is_ours(a) or _is_ours(b):
        from aoti_lint.interp import overloads

        made = overloads.arithmetic(m, node, op, a, b)
        if made is not None:
            return made
    if op == "/" and (isinstance(a, PathValue) or isinstance(b, PathValue)):
        from aoti_lint.interp.models.paths import join_paths

        return PathValue(join_paths([a, b]))
    if op == "+" and (is_text(a) and is_text(b)) and not (isinstance(a, Size) or isinstance(b, Size)):
        return concat([a, b])
    if op == "%" and isinstance(a, Const) and isinstance(a.value, str):
        return percent(m, node, a.value, b)
    if isinstance(a, Tup) and isinstance(b, Tup) and op == "+":
        fits = len(a.items) + len(b.items) <= MAX_JOINED
        return Tup(a.items + b.items) if fits else m.unknown(node, TOO_LARGE)
    if isinstance(a, Tup) and op == "*" and (again := repeated(a.items, b)) is not None:
        return Tup(tuple(again))
    if isinstance(b, Tup) and op == "*":
        return _binary(m, node, op, b, a)
    if isinstance(a, Obj) and a.kind == "list":
        return _list_operator(m, node, op, a, b)
    if isinstance(a, Obj) and a.kind == "dict" and op == "|":
        from aoti_lint.interp.containers import merge_dicts

        return merge_dicts(m, [a, b])
    if isinstance(a, Obj) and a.cls == ENVIRONMENT and op == "|":
        from aoti_lint.interp.models.environments import merged

        return merged(m, [(node, None, a), (node, None, b)])
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        from aoti_lint.interp.models.tensors import elementwise, matmul

        m.site = node

        def calculated() -> Value:
            return matmul(m, a, b) if op == "@" else elementwise(m, [a, b])

        if m.watch is None:
            return calculated()
        return m.watch.combined(m, node, op, [a, b], m.watch.operated(m, node, calculated))
    if isinstance(a, DimValue) or isinstance(b, DimValue):
        from aoti_lint.interp.models.dims import derived

        return derived(m, node, op, a, b)
    if isinstance(a, Obj | Class | Ref) and isinstance(b, Obj | Class | Ref | Const) and op == "|":
        from aoti_lint.interp.models.types import union

        either_type = union(m, a, b)
        if either_type is not None:
            return either_type
    if isinstance(a, Obj) or isinstance(b, Obj):
        from aoti_lint.interp.models import array_ops, arrays

        if arrays.is_array(a) or arrays.is_array(b):
            return array_ops.calculated(m, a, b)
    if any(isinstance(one, Obj) and isinstance(one.cls, Class) and one.kind != "enum" for one in (a, b)):
        return m.unknown(node, "an operator of a class was not followed")
    if isinstance(a, Size) or isinstance(b, Size):
        return combined(op, a, b)
    return reckoned(op, a, b)


def _is_ours(value: Value) -> bool:
    """Whether the value is an object whose class the project defines."""
    return isinstance(value, Obj) and isinstance(value.cls, Class)


def _fold(m: Machine, node: nodes.Node, op: str, a: object, b: object) -> Value:
    apply = BINARY.get(op)
    if apply is None:
        return m.unknown(node, f"the operator {op} was not followed")
    sizes = [len(v) for v in (a, b) if isinstance(v, str | bytes)]
    numbers = [v for v in (a, b) if isinstance(v, int | float)]
    if (sizes and max(sizes) * max([1, *(abs(n) for n in numbers)]) > MAX_TEXT) or (
        op in ("**", "<<") and any(abs(n) > 64 for n in numbers[1:])
    ):
        return m.unknown(node, TOO_LARGE)
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
    from aoti_lint.interp.containers import items_of

    first = items_of(m, a)
    if op == "+":
        second = items_of(m, b)
        if first is not None and second is not None and len(first) + len(second) <= MAX_JOINED:
            return m.new_list([*first, *second])
    if op == "*" and first is not None and (again := repeated(first, b)) is not None:
        return m.new_list(again)
    return m.unknown(node, "the items of a list are not known")


def unary(m: Machine, node: nodes.Node, op: str, value: Value) -> Value:
    if op == "not":
        asked = truth(m, value, node.value if isinstance(node, nodes.Unary) else node)
        return lift(m, asked, lambda v: Const(not v.value) if isinstance(v, Const) else v)

    def apply(v: Value) -> Value:
        if _is_ours(v):
            from aoti_lint.interp import overloads

            made = overloads.negated(m, node, op, v)
            if made is not None:
                return made
        if isinstance(v, Const) and isinstance(v.value, int):
            return Const(~v.value if op == "~" else -v.value if op == "-" else +v.value)
        if isinstance(v, Const) and isinstance(v.value, float) and op != "~":
            return Const(-v.value if op == "-" else v.value)
        if isinstance(v, Size) and op == "-":
            return combined("neg", v)
        if isinstance(v, Tensor):
            from aoti_lint.interp.models.tensor_base import derived

            same = v if op == "+" else derived(m, v)
            return same if m.watch is None else m.watch.combined(m, node, op, [v], same)
        return Unknown(f"({op}{ident(v)})", "arithmetic with an unknown")

    return lift(m, value, apply)


# ---------------------------------------------------------------- text


def is_text(value: Value) -> bool:
    """Whether `value` is, or may be, a string."""
    return isinstance(value, Text | Sym | Unknown | Package) or (
        isinstance(value, Const) and isinstance(value.value, str)
    )


def concat(parts: list[Value]) -> Value:
    """The string that the parts make, constants joined."""
    flat: list[Value] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Text) else (part,):
            if isinstance(piece, Const) and flat and isinstance(flat[-1], Const):
                flat[-1] = Const(str(flat[-1].value) + str(piece.value))
            elif not (isinstance(piece, Const) and piece.value == ""):
                flat.append(Const(str(piece.value)) if isinstance(piece, Const) else piece)
    if not flat:
        return Const("")
    if len(flat) + sum(len(str(p.value)) for p in flat if isinstance(p, Const)) > MAX_TEXT:
        return Unknown(f"text:{ident(Text(tuple(flat)))}", TOO_LARGE)
    if len(flat) == 1 and isinstance(flat[0], Const | Sym | Package):
        return flat[0]
    return Text(tuple(flat))


def to_text(m: Machine, value: Value) -> Value:
    """`str(value)`."""

    def apply(v: Value) -> Value:
        match v:
            case Const(inner):
                return Const(str(inner))
            case Text() | Package() | Sym():
                return v
            case PathValue(text):
                return text
            case Device():
                return Const(str(v))
            case Obj():
                from aoti_lint.interp.objects import text_of

                return text_of(m, v)
            case _:
                return Text((v,))

    return lift(m, value, apply)


def percent(m: Machine, node: nodes.Node, template: str, value: Value) -> Value:
    """`template % value`."""
    from aoti_lint.interp.containers import items_of

    items = list(value.items) if isinstance(value, Tup) else [value]
    if m.watch is not None:
        m.watch.formatted(m, node, template, items)
    if is_wide(template):
        return m.unknown(node, TOO_LARGE)
    if all(isinstance(i, Const) for i in items):
        args = tuple(i.value for i in items if isinstance(i, Const))
        try:
            return bounded_text(m, node, template % args)
        except (TypeError, ValueError):
            return m.unknown(node, "the format does not fit its values")
    pieces = _PLAIN_FIELD.split(template)
    each = isinstance(value, Tup) or items_of(m, value) is None
    if each and len(pieces) == len(items) + 1 and "%" not in "".join(pieces):
        mixed: list[Value] = [Const(pieces[0])]
        for item, piece in zip(items, pieces[1:], strict=True):
            mixed += [to_text(m, item), Const(piece)]
        return lift_all(m, mixed, concat)
    return Unknown(f"format:{ident(Const(template))}%{ident(value)}", "a formatted unknown")


def bounded_text(m: Machine, node: nodes.Node, made: str) -> Value:
    """A text that was calculated, unless it is too large."""
    return Const(made) if len(made) <= MAX_TEXT else m.unknown(node, TOO_LARGE)


def is_wide(template: str) -> bool:
    """Whether a format may ask for more characters than can be followed: `%1000000000d`, `{:>{width}}`."""
    return _WIDE.search(template) is not None


# ---------------------------------------------------------------- comparison and truth


def compare(m: Machine, node: nodes.Node, op: str, left: Value, right: Value) -> Value:
    """`left op right` as `TRUE`, `FALSE`, or a choice of them by a condition; of tensors, a tensor."""
    if op == "!=":
        return lift(m, left, lambda a: lift(m, right, lambda b: _differ(m, node, a, b)))
    if op in ("is not", "not in"):
        positive = {"is not": "is", "not in": "in"}[op]
        return unary(m, node, "not", compare(m, node, positive, left, right))
    return lift(m, left, lambda a: lift(m, right, lambda b: _compare(m, node, op, a, b)))


def _differ(m: Machine, node: nodes.Node, a: Value, b: Value) -> Value:
    if isinstance(a, Obj) or isinstance(b, Obj):
        from aoti_lint.interp import objects

        own = objects.asked(m, node, "__ne__", a, b)
        if own is not None:
            return own
    same = _compare(m, node, "==", a, b)
    return same if isinstance(same, Tensor) else unary(m, node, "not", same)


def _compare(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    if op == "in":
        return _contains(m, node, a, b)
    if op in COMPARE and (isinstance(a, Tensor) or isinstance(b, Tensor)) and NONE not in (a, b):
        from aoti_lint.interp.models.tensors import compared

        if m.watch is None:
            return compared(m, [a, b])
        answer = m.watch.operated(m, node, lambda: compared(m, [a, b]))
        return m.watch.combined(m, node, op, [a, b], answer)
    if isinstance(a, Obj) or isinstance(b, Obj):
        from aoti_lint.interp import overloads
        from aoti_lint.interp.objects import plain_enum

        decided = overloads.ordered(m, node, op, a, b) if _is_ours(a) or _is_ours(b) else None
        if decided is not None:
            return decided
        a, b = plain_enum(m, a), plain_enum(m, b)
    if isinstance(a, Const) and isinstance(b, Const):
        if op == "is":
            return Const(type(a.value) is type(b.value) and a.value == b.value)
        try:
            return Const(bool(COMPARE[op](a.value, b.value)))
        except TypeError:
            return m.unknown(node, "the values cannot be compared")
    if m.watch is not None:
        m.watch.agreements.compared_dtypes(a, b)
        if isinstance(a, Size) or isinstance(b, Size):
            return m.watch.compared(m, node, op, a, b)
        m.watch.weighed(m, node, (a, b))
    versions = version_compare(m, op, a, b)
    if versions is not None:
        return versions
    if op in ("==", "is"):
        return _equal(m, node, op, a, b)
    if isinstance(a, Tup) and isinstance(b, Tup) and all(isinstance(i, Const) for i in a.items + b.items):
        try:
            return Const(bool(COMPARE[op](tuple(_plain(i) for i in a.items), tuple(_plain(i) for i in b.items))))
        except TypeError:
            return m.unknown(node, "the values cannot be compared")
    return ask(m, Cond((op, ident(a), ident(b)), _kind("==" if op == "is" else op, a, b)))


MAX_COMPARED = 16
"""Items of two containers that are compared one by one."""


def all_equal(m: Machine, node: nodes.Node, pairs: list[tuple[Value, Value]], otherwise: Cond) -> Value:
    """Whether the values of each pair are equal; a question of its own where that is not known of all."""
    if len(pairs) > MAX_COMPARED and not all(isinstance(v, Const) for pair in pairs for v in pair):
        return ask(m, otherwise)
    answers = []
    for one, other in pairs:
        answer = truth(m, compare(m, node, "==", one, other))
        if answer == FALSE:
            return FALSE
        answers.append(answer)
    return TRUE if all(a == TRUE for a in answers) else ask(m, otherwise)


def _plain(value: Value) -> Any:
    return value.value if isinstance(value, Const) else None


def _equal(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    if isinstance(b, Sym | Unknown) and not isinstance(a, Sym | Unknown):
        a, b = b, a
    if a == b:
        return TRUE
    if isinstance(a, Sym | Unknown):
        if isinstance(a, Sym) and a.known and isinstance(b, Const) and b not in a.known:
            return FALSE
        subject = b if isinstance(b, Const) else ident(b)
        return ask(m, Cond(("eq", a.key, subject), _kind("==", a, b), getattr(a, "origin", "")))
    if isinstance(a, Const) and a.value is None:
        a, b = b, a
    if isinstance(b, Const) and b.value is None:
        return FALSE if isinstance(a, SOMETHING) else ask(m, Cond(("none", ident(a))))
    if isinstance(a, Tup) and isinstance(b, Tup):
        if len(a.items) != len(b.items):
            return FALSE
        if op == "==":
            pairs, question = list(zip(a.items, b.items, strict=True)), Cond((op, ident(a), ident(b)))
            if m.watch is not None:
                m.watch.agreements.compared_shapes(question, pairs)
            return all_equal(m, node, pairs, question)
    if op == "==" and (isinstance(a, Obj) or isinstance(b, Obj)):
        from aoti_lint.interp import objects

        return objects.equal(m, node, a, b)
    if type(a) is type(b) and isinstance(a, Device | Class | Ref | Obj | Func):
        # Two references may name one thing; two devices, classes or objects that differ, differ.
        return FALSE if not isinstance(a, Ref) else ask(m, Cond(("same", ident(a), ident(b))))
    return ask(m, Cond((op, ident(a), ident(b)), _kind("==" if op == "is" else op, a, b)))


def _contains(m: Machine, node: nodes.Node, item: Value, box: Value) -> Value:
    from aoti_lint.interp.containers import dict_pairs, items_of, settled
    from aoti_lint.interp.models import registry

    if _is_ours(box):
        from aoti_lint.interp import overloads

        own = overloads.contains(m, node, item, box)
        if own is not None:
            return own
    model = registry.METHODS.get((registry.tag_of(m, box), "__contains__"))
    if model is not None:
        return model(m, registry.Call(node, [item]), box)
    pairs = dict_pairs(m, box)
    members = [k for k, _ in pairs] if pairs is not None else items_of(m, box)
    if members is not None and item in members and not isinstance(item, Sym | Unknown):
        return TRUE
    plain = members is not None and all(isinstance(i, Const) for i in members)
    if members is not None and (
        (plain and isinstance(item, Const | Sym | Unknown)) or all(settled(i) for i in (item, *members))
    ):
        result: Value = FALSE
        for member in members:
            result = either(m, compare(m, node, "==", item, member), result)
        return result
    if members is not None and len(members) <= MAX_COMPARED:
        answers = [truth(m, compare(m, node, "==", item, member)) for member in members]
        if TRUE in answers or all(a == FALSE for a in answers):
            return Const(TRUE in answers)
    if m.watch is not None:
        m.watch.agreements.compared_dtypes(item, box)
    return ask(m, Cond(("in", ident(item), ident(box)), _kind("in", item, box)))


def either(m: Machine, first: Value, second: Value) -> Value:
    """`first or second` of two truths."""
    return lift(m, first, lambda a: TRUE if a == TRUE else second)


def _kind(op: str, *values: Value) -> str:
    """What decides a comparison: for an option, whether its default says yes."""
    if not any(isinstance(v, Sym) for v in values):
        return "unknown"
    plain = [v.default if isinstance(v, Sym) else v for v in values]
    known = [v.value for v in plain if isinstance(v, Const)]
    if len(known) < 2 or op not in COMPARE:
        return option_kind(None)
    try:
        return option_kind(bool(COMPARE[op](*known)))
    except TypeError:
        return option_kind(None)


def ask(m: Machine, cond: Cond) -> Value:
    """The truth of a condition as a value."""
    known = decide(cond, m.path)
    return Choice(cond, TRUE, FALSE) if known is None else Const(known)


def version_compare(m: Machine, op: str, a: Value, b: Value) -> Value | None:
    """A comparison with the version of torch, as a question about the release; None if it is none."""
    from aoti_lint.interp.models.versions import holds_for, python_holds

    decided = python_holds(op, a, b)
    if decided is not None:
        return Const(decided)
    found = holds_for(m, op, a, b)
    if found is None:
        return None
    answer = m.version_cond(*found)
    return Const(answer) if isinstance(answer, bool) else ask(m, answer)


def truth(m: Machine, value: Value, at: nodes.Node | None = None) -> Value:
    """`bool(value)` as `TRUE`, `FALSE`, or a choice of them; `at` is where it is asked for."""
    answer = lift(m, value, lambda v: _truth(m, v, at))
    if any(isinstance(leaf, Unknown) for _, leaf in leaves(answer)):
        # It has too many alternatives to follow: its truth is one question.
        return ask(m, Cond(("truthy", ident(value)), "unknown", "it has too many alternatives to follow"))
    return answer if m.watch is None else m.watch.answered(m, answer)


def _truth(m: Machine, v: Value, at: nodes.Node | None) -> Value:
    from aoti_lint.interp.containers import dict_pairs, items_of

    match v:
        case Const(inner):
            return Const(bool(inner))
        case Size() if m.watch is not None:
            return m.watch.truth(m, v, at)
        case Sym() | Unknown():
            if m.watch is not None and at is not None:
                m.watch.weighed(m, at, (v,))
            cond = condition_of(v)
            if isinstance(v, Sym) and v.known and all(isinstance(k, Const) and k.value for k in v.known):
                return TRUE
            return ask(m, cond)
        case Tup(items):
            return Const(bool(items))
        case Obj(kind="list" | "set"):
            held = items_of(m, v)
            return ask(m, condition_of(v)) if held is None else Const(bool(held))
        case Obj(kind="dict"):
            pairs = dict_pairs(m, v)
            return ask(m, condition_of(v)) if pairs is None else Const(bool(pairs))
        case Text(parts):
            return TRUE if any(isinstance(p, Const) and p.value for p in parts) else ask(m, condition_of(v))
        case Tensor() | Absent():
            if m.watch is not None and isinstance(v, Tensor):
                m.watch.asked(m, v, condition_of(v), at)
            return ask(m, condition_of(v))
        case Obj(kind="instance", cls=Class() as cls):
            from aoti_lint.interp import objects

            return objects.truth_of(m, v, cls)
        case Ref(name) if m.watch is not None and not name.startswith(("torch.", "?")):
            # A flag of a module that we do not have: a kernel may go either way.
            return ask(m, condition_of(v))
        case _:
            return TRUE


def branch(
    m: Machine, test: Value, then: Callable[[], T], other: Callable[[], T], at: nodes.Node | None = None
) -> tuple[Cond | None, T, T]:
    """Run `then` where `test`, which stands at `at`, is true and `other` where not; merge what they change.

    Gives the condition and the results where it holds and where it does not. Where the path decides, the condition is
    None and both results are that of the one arm that ran.
    """
    answer = truth(m, test, at)
    if isinstance(answer, Const):
        only = then() if answer.value else other()
        return None, only, only
    assert isinstance(answer, Choice)
    if count_leaves(answer) == 2:
        cond, arms = answer.cond, (then, other) if answer.then == TRUE else (other, then)
        first, second = m.fork(cond, *arms)
        if m.watch is not None:
            m.watch.branched(m, cond, first, second)
        return cond, first, second
    found = [(path, leaf == TRUE) for path, leaf in leaves(answer, m.path)]
    if len({yes for _, yes in found}) == 1:
        only = then() if found[0][1] else other()
        return None, only, only
    expected = next((yes for path, yes in found if all(usual(c) == a for c, a in path.items())), None)
    guess = any(c.kind == "unknown" for path, _ in found for c in path)
    cond = Cond(("bool", ident(answer)), "unknown" if guess else option_kind(expected))
    implied = (common([p for p, yes in found if yes]), common([p for p, yes in found if not yes]))
    first, second = m.fork(cond, then, other, implied)
    if m.watch is not None:
        m.watch.branched_by_several({c for path, _ in found for c in path}, implied, first, second)
    return cond, first, second
