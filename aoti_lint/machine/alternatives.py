"""What is done to every alternative of a value."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.machine.machine import Machine
from aoti_lint.values.choices import DECIDABLE, choose
from aoti_lint.values.meter import METER
from aoti_lint.values.values import Choice, Unknown, Value

MAX_COMBINATIONS = 2_000
"""Combinations of alternatives that one operation is done for; with more, its result would have too many, too."""
TOO_MANY = Unknown("too many", "its operands have too many alternatives to follow")


def lift(m: Machine, value: Value, apply: Callable[[Value], Value]) -> Value:
    """`apply` to every alternative of `value`."""
    if type(value) in DECIDABLE:
        value = m.see(value)
        if type(value) is Choice:
            return _lift(m, value, apply)
    return apply(value)


def _lift(m: Machine, value: Choice, apply: Callable[[Value], Value]) -> Value:
    METER.spend()
    root, cond = m.root, value.cond
    saved, chosen = root.path, root.frames[-1].chosen if root.frames else []
    chosen.append(cond)
    try:
        root.path = {**saved, cond: True}
        then = lift(m, value.then, apply)
        root.path = {**saved, cond: False}
        other = lift(m, value.other, apply)
    finally:
        root.path = saved
        chosen.pop()
    return choose(cond, then, other)


def lift_all(m: Machine, values: list[Value], apply: Callable[[list[Value]], Value]) -> Value:
    """`apply` to every combination of the alternatives of `values`, unless these are too many."""
    chosen: list[Value] = []
    applied = 0

    def step() -> Value:
        # Only what has alternatives takes a level of its own: a format may have thousands of parts.
        nonlocal applied
        before = len(chosen)
        while len(chosen) < len(values) and type(values[len(chosen)]) not in DECIDABLE:
            chosen.append(values[len(chosen)])
        if len(chosen) < len(values):
            made = lift(m, values[len(chosen)], one)
        elif applied < MAX_COMBINATIONS:
            applied += 1
            made = apply(list(chosen))
        else:
            made = TOO_MANY
        del chosen[before:]
        return made

    def one(value: Value) -> Value:
        if applied >= MAX_COMBINATIONS:
            return TOO_MANY
        chosen.append(value)
        made = step()
        chosen.pop()
        return made

    made = step()
    return made if applied < MAX_COMBINATIONS else Unknown(f"u{m.fresh()}", TOO_MANY.reason)
