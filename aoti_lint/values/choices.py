"""Values that are one of several: how choices are made, and what is left of them where something is assumed."""

from __future__ import annotations

from aoti_lint.values.conditions import Cond, Path, decide
from aoti_lint.values.identity import ident
from aoti_lint.values.meter import METER
from aoti_lint.values.values import Choice, Pairs, Sym, Unknown, Value

MAX_LEAVES = 12
"""Alternatives one value may have before it becomes unknown."""


def choose(cond: Cond, then: Value, other: Value) -> Value:
    """`Choice`, without the arms `cond` itself rules out, and unknown when it would grow too large."""
    then, other = restrict(then, cond, True), restrict(other, cond, False)
    if then == other:
        return then
    made = Choice(cond, then, other)
    if (type(then) is Choice or type(other) is Choice) and count_leaves(made) > MAX_LEAVES:
        return Unknown(f"many:{cond.key!r}:{ident(then)[:80]}", "it has too many alternatives to follow")
    return made


def either(cond: Cond, then: Value, other: Value) -> Value:
    """`choose` for what a container holds: entries under the same keys are chosen one by one."""
    if isinstance(then, Pairs) and isinstance(other, Pairs):
        both = list(zip(then.pairs, other.pairs, strict=False))
        if len(then.pairs) == len(other.pairs) and all(a == b for (a, _), (b, _) in both):
            return Pairs(tuple((key, choose(cond, a, b)) for (key, a), (_, b) in both))
    return choose(cond, then, other)


def restrict(value: Value, cond: Cond, answer: bool) -> Value:
    """`value` where `cond` is `answer`."""
    return _restrict(value, {cond: answer}) if type(value) is Choice else value


def _restrict(value: Value, path: Path) -> Value:
    if type(value) is not Choice:
        return value
    METER.spend()
    known = decide(value.cond, path)
    if known is not None:
        return _restrict(value.then if known else value.other, path)
    then, other = _restrict(value.then, path), _restrict(value.other, path)
    if then is value.then and other is value.other:
        return value
    return then if then == other else Choice(value.cond, then, other)


def under(value: Value, path: Path) -> Value:
    """`value` as far as `path` decides it; only a kind in `DECIDABLE` can become another value."""
    while type(value) is Choice:
        known = decide(value.cond, path)
        if known is None:
            then, other = value.then, value.other
            if type(then) in DECIDABLE:
                then = under(then, {**path, value.cond: True})
            if type(other) in DECIDABLE:
                other = under(other, {**path, value.cond: False})
            if then is value.then and other is value.other:
                return value
            return then if then == other else Choice(value.cond, then, other)
        value = value.then if known else value.other
    if type(value) is Sym and path:
        for cond, answer in path.items():
            if answer and cond.key[0] == "eq" and cond.key[1] == value.key and isinstance(cond.key[2], Value):
                return cond.key[2]
    return value


DECIDABLE = frozenset({Choice, Sym})
"""Kinds of values that what is assumed can make another value of."""


def count_leaves(value: Value) -> int:
    return count_leaves(value.then) + count_leaves(value.other) if type(value) is Choice else 1


def leaves(value: Value, path: Path | None = None) -> list[tuple[dict[Cond, bool], Value]]:
    """All alternatives of `value` with the literals each stands under, consistent with `path`."""
    start = dict(path or {})
    if not isinstance(value, Choice):
        return [(start, under(value, start))]
    known = decide(value.cond, start)
    found: list[tuple[dict[Cond, bool], Value]] = []
    for answer, arm in ((True, value.then), (False, value.other)):
        if known is None or known == answer:
            found += leaves(arm, {**start, value.cond: answer})
    return found


def is_known(value: Value) -> bool:
    """Whether every alternative of `value` is something definite."""
    if isinstance(value, Choice):
        return is_known(value.then) and is_known(value.other)
    return not isinstance(value, Unknown | Sym)
