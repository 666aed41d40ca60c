"""How a block of statements ends, and what that means for the values it leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.choices import choose, restrict
from aoti_lint.values.conditions import Cond
from aoti_lint.values.values import NONE, TRUE, Unknown, Value


@dataclass(frozen=True, slots=True)
class Leaf:
    """One way to end: `fall` (go on behind the block), `return`, `raise`, `break` or `continue`.

    `value` is what is returned, or the exception that is raised.
    """

    kind: str
    value: Value = NONE


@dataclass(frozen=True, slots=True)
class Fork:
    """`then` where `cond` holds, `other` where not."""

    cond: Cond
    then: Flow
    other: Flow


Flow: TypeAlias = Leaf | Fork

MAX_LEAVES = 16
"""Ways to end that are told apart."""

MAX_PATH = 64
"""Questions that a bounded flow still asks before it falls through."""

FALL = Leaf("fall")
BREAK = Leaf("break")
CONTINUE = Leaf("continue")


def join(cond: Cond, then: Flow, other: Flow) -> Flow:
    return then if then == other else Fork(cond, then, other)


def bounded(flow: Flow, fresh: Callable[[], int]) -> Flow:
    """`flow`, or one with few leaves that says less: how to fall through stays, which question leads to which other
    way to end is forgotten.

    Without a bound, statements that may leave in two ways each would double the size of the flow one after the other.
    """
    if count(flow) <= MAX_LEAVES:
        return flow
    ends = list(_leaves(flow))
    rest: Flow | None = FALL if FALL in ends else None
    for kind in dict.fromkeys(leaf.kind for leaf in ends if leaf != FALL):
        values = {leaf.value for leaf in ends if leaf.kind == kind}
        value = values.pop() if len(values) == 1 else Unknown(f"u{fresh()}", "it has too many alternatives to follow")
        leaf = Leaf(kind, value)
        rest = leaf if rest is None else Fork(Cond(("leaves", fresh())), leaf, rest)
    return _forced(path_to(flow, "fall"), rest or FALL)


def _forced(path: dict[Cond, bool], flow: Flow) -> Flow:
    """`flow` where `path` holds, and only its leaves that do not fall through elsewhere."""
    leaving = next((leaf for leaf in _leaves(flow) if leaf != FALL), FALL)
    for cond, answer in islice(path.items(), MAX_PATH):
        flow = join(cond, flow if answer else leaving, leaving if answer else flow)
    return flow


def count(flow: Flow) -> int:
    """The number of leaves; no more than one above the bound is counted."""
    found, todo = 0, [flow]
    while todo and found <= MAX_LEAVES:
        one = todo.pop()
        if isinstance(one, Leaf):
            found += 1
        else:
            todo += [one.then, one.other]
    return found


def _leaves(flow: Flow) -> Iterator[Leaf]:
    todo = [flow]
    while todo:
        one = todo.pop()
        if isinstance(one, Leaf):
            yield one
        else:
            todo += [one.other, one.then]


def endings(flow: Flow) -> set[str]:
    if isinstance(flow, Leaf):
        return {flow.kind}
    return endings(flow.then) | endings(flow.other)


def rename(flow: Flow, change: Callable[[Leaf], Leaf]) -> Flow:
    """`flow` with every leaf changed."""
    if isinstance(flow, Leaf):
        return change(flow)
    return join(flow.cond, rename(flow.then, change), rename(flow.other, change))


def path_to(flow: Flow, kind: str) -> dict[Cond, bool]:
    """The answers common to all leaves of this kind."""
    found = _common(flow, kind)
    return dict(reversed(found.items())) if found else {}


def _common(flow: Flow, kind: str) -> dict[Cond, bool] | None:
    """The answers common to all leaves of this kind, the innermost first; None where there is no such leaf."""
    if isinstance(flow, Leaf):
        return {} if flow.kind == kind else None
    then, other = _common(flow.then, kind), _common(flow.other, kind)
    if then is not None and other is not None:
        return {cond: answer for cond, answer in then.items() if other.get(cond) == answer}
    found = other if then is None else then
    if found is not None:
        found.setdefault(flow.cond, other is None)
    return found


def graft(flow: Flow, old: Value, new: Value, dead: frozenset[str]) -> Value:
    """The value of a cell behind `flow` when the code that follows a fall made `old` into `new`.

    Leaves of the kinds in `dead` are never read again in this cell, so they do not count.
    """
    if isinstance(flow, Leaf):
        return new if flow.kind == "fall" or flow.kind in dead else old
    cond = flow.cond
    return choose(
        cond,
        graft(flow.then, restrict(old, cond, True), restrict(new, cond, True), dead),
        graft(flow.other, restrict(old, cond, False), restrict(new, cond, False), dead),
    )


def graft_flow(flow: Flow, rest: Flow) -> Flow:
    """`flow` with `rest` where it fell through."""
    if isinstance(flow, Leaf):
        return rest if flow.kind == "fall" else flow
    return join(flow.cond, graft_flow(flow.then, rest), graft_flow(flow.other, rest))


def returned(flow: Flow) -> Value | None:
    """What a function that ends so returns; None if it never does."""
    if isinstance(flow, Leaf):
        return {"return": flow.value, "fall": NONE}.get(flow.kind)
    then, other = returned(flow.then), returned(flow.other)
    if then is None or other is None:
        return other if then is None else then
    return choose(flow.cond, then, other)


def raised(flow: Flow) -> Flow:
    """What a caller of a function that ends so sees: it goes on, or an exception passes through it."""
    return rename(flow, lambda leaf: leaf if leaf.kind == "raise" else FALL)


def raising(flow: Flow, before: Value) -> Value:
    """True where `flow` raises, and `before` elsewhere."""
    if isinstance(flow, Leaf):
        return TRUE if flow.kind == "raise" else before
    return choose(flow.cond, raising(flow.then, before), raising(flow.other, before))
