"""The truth of values, and code that is run where it holds and where not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from aoti_lint.ir import nodes
from aoti_lint.language.classes import objects
from aoti_lint.language.data import containers
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.values.assumptions import closed, joined
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond, decide, option_kind, usual
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import (
    FALSE,
    TRUE,
    Absent,
    Choice,
    Class,
    Const,
    Obj,
    Ref,
    Size,
    Sym,
    Text,
    Tup,
    Unknown,
    Value,
)

T = TypeVar("T")


def either(m: Machine, first: Value, second: Value) -> Value:
    """`first or second` of two truths."""
    return lift(m, first, lambda a: TRUE if a == TRUE else second)


def ask(m: Machine, cond: Cond) -> Value:
    """The truth of a condition as a value."""
    known = decide(cond, m.root.path)
    return Choice(cond, TRUE, FALSE) if known is None else Const(known)


def condition_of(value: Value) -> Cond:
    """The question whether `value` is true."""
    if isinstance(value, Sym):
        default = value.default
        kind = option_kind(bool(default.value) if isinstance(default, Const) else None)
        return Cond(("truthy", ident(value)), kind, value.origin)
    reason = value.reason if isinstance(value, Unknown) else ""
    return Cond(("truthy", ident(value)), "machine" if "machine" in ident(value) else "unknown", reason)


_WITHOUT_FLAGS = {"torch", *sys.stdlib_module_names}
"""Modules of which we know what may be false."""


def truth(m: Machine, value: Value, at: nodes.Node | None = None) -> Value:
    """`bool(value)` as `TRUE`, `FALSE`, or a choice of them; `at` is where it is asked for."""
    answer = lift(m, value, lambda v: _truth(m, v, at))
    if type(answer) is not Const and not _is_plain(answer) and any(isinstance(v, Unknown) for _, v in leaves(answer)):
        # It has too many alternatives to follow: its truth is one question.
        return ask(m, Cond(("truthy", ident(value)), "unknown", "it has too many alternatives to follow"))
    return answer if m.root.watch is None else m.root.watch.answered(m, answer)


def _is_plain(answer: Value) -> bool:
    """Whether a truth is one question with two answers."""
    return type(answer) is Choice and type(answer.then) is Const and type(answer.other) is Const


def _truth(m: Machine, v: Value, at: nodes.Node | None) -> Value:
    match v:
        case Const(inner):
            return Const(bool(inner))
        case Size() if m.root.watch is not None:
            return m.root.watch.truth(m, v, at)
        case Sym() | Unknown():
            if m.root.watch is not None and at is not None:
                m.root.watch.weighed(m, at, "!=", (v, Const(0)))
            cond = condition_of(v)
            if isinstance(v, Sym) and v.known and all(isinstance(k, Const) and k.value for k in v.known):
                return TRUE
            return ask(m, cond)
        case Tup(items):
            return Const(bool(items))
        case Obj(kind="list" | "set"):
            held = containers.items_of(m, v)
            return ask(m, condition_of(v)) if held is None else Const(bool(held))
        case Obj(kind="dict"):
            pairs = containers.dict_pairs(m, v)
            return ask(m, condition_of(v)) if pairs is None else Const(bool(pairs))
        case Text(parts):
            return TRUE if any(isinstance(p, Const) and p.value for p in parts) else ask(m, condition_of(v))
        case Tensor() | Absent():
            if m.root.watch is not None and isinstance(v, Tensor):
                m.root.watch.asked(m, v, condition_of(v), at)
            return ask(m, condition_of(v))
        case Obj(kind="instance", cls=Class() as cls):
            return objects.truth_of(m, v, cls)
        case Ref(name) if "." in name and not name.startswith("?") and name.partition(".")[0] not in _WITHOUT_FLAGS:
            # A flag of a module that we do not have, perhaps.
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
    if type(answer.then) is not Choice and type(answer.other) is not Choice:
        cond, arms = answer.cond, (then, other) if answer.then == TRUE else (other, then)
        first, second = m.fork(cond, *arms)
        if m.root.watch is not None:
            m.root.watch.branched(m, cond, first, second)
        return cond, first, second
    path = m.root.path
    found = [(held, leaf == TRUE) for held, leaf in leaves(answer, path)]
    if len({yes for _, yes in found}) == 1:
        only = then() if found[0][1] else other()
        return None, only, only
    likely = {yes for held, yes in found if all(usual(c) in (None, a) for c, a in held.items())}
    expected = next(iter(likely)) if len(likely) == 1 else None
    guess = expected is None and any(c.kind == "unknown" for held, _ in found for c in held)
    cond = Cond(("bool", ident(answer)), "unknown" if guess else option_kind(expected), joined=joined(answer))
    first, second = m.fork(cond, then, other)
    if m.root.watch is not None:
        implied = closed({**path, cond: True}, path), closed({**path, cond: False}, path)
        m.root.watch.branched_by_several({c for held, _ in found for c in held}, implied, first, second)
    return cond, first, second
