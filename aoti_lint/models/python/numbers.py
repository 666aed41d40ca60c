"""Functions of `math`: sizes are rounded, divided and capped with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from aoti_lint.language.data import containers
from aoti_lint.language.tools import derive, from_python, label_of, plain
from aoti_lint.machine.alternatives import lift, lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import VALUES, function
from aoti_lint.values.call import Call
from aoti_lint.values.sizes.reckoning import MAX_NUMBER, as_float
from aoti_lint.values.values import NONE, Const, Unknown, Value

OF_ONE = ["ceil", "floor", "trunc", "sqrt", "isqrt", "log2", "log10", "exp", "fabs"]
OF_SEVERAL = ["log", "pow", "gcd", "lcm", "fmod", "hypot"]

for _name in ("inf", "pi", "e"):
    VALUES[f"math.{_name}"] = lambda _, name=_name: Const(getattr(math, name))  # type: ignore[misc]


FLOATING = ["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "radians", "degrees"]


def small(apply: Callable[..., Any], *given: Any) -> object:
    """What `apply` gives; numbers that no size is, and that may take long to work with, are refused."""
    if any(not isinstance(g, int | float) or abs(g) > MAX_NUMBER for g in given):
        raise ValueError("not a size")
    return apply(*given)


def _of_one(name: str) -> None:
    apply = getattr(math, name)

    @function(f"math.{name}")
    def model(m: Machine, call: Call) -> Value:
        return lift(m, call.arg(0) or NONE, lambda v: derive(m, v, f"math.{name}", lambda given: small(apply, given)))


def _of_several(name: str) -> None:
    apply = getattr(math, name)

    @function(f"math.{name}")
    def model(m: Machine, call: Call) -> Value:
        if call.open:
            return m.unknown(call.node, f"the arguments of math.{name}() are not all known")
        return lift_all(m, call.args, lambda chosen: several(m, name, apply, chosen))


def several(m: Machine, name: str, apply: Callable[..., Any], given: list[Value]) -> Value:
    known = plain(given)
    made = None
    if known is not None and len(known) <= containers.MAX_ITEMS:
        try:
            made = from_python(m, small(apply, *known))
        except (ArithmeticError, TypeError, ValueError):  # the script would raise too
            made = None
    lost = f"the result of math.{name}() is not known"
    return Unknown(label_of(f"math.{name}", given), lost) if made is None else made


@function("math.prod")
def _product(m: Machine, call: Call) -> Value:
    items = containers.items_of(m, call.arg(0) or NONE)
    if items is None:
        return m.unknown(call.node, "the numbers that are multiplied are not all known")
    first = call.kwargs.get("start", Const(1))
    return lift_all(m, [first, *items], lambda chosen: several(m, "prod", lambda *n: math.prod(n), chosen))


def _floating(name: str) -> None:
    """Nothing is made of their numbers but data."""

    @function(f"math.{name}")
    def model(m: Machine, call: Call) -> Value:
        return as_float(m.unknown(call.node, f"the result of math.{name}() is not known"))


for _name in FLOATING:
    _floating(_name)
for _name in OF_ONE:
    _of_one(_name)
for _name in OF_SEVERAL:
    _of_several(_name)
