"""What is done to every alternative of a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from aoti_lint.interp.values import Choice, Value, choose

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine


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
