"""Loops: unrolled where the items are known, else one round for all."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import assignments, expressions, statements, truths
from aoti_lint.language.data import containers, iterators, subscripts
from aoti_lint.language.flow import comprehensions, rounds, unfit
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.flow import FALL, Flow, Leaf, endings, graft_flow, join, rename
from aoti_lint.values.values import FALSE, TRUE, Many, Obj, Tup, Unknown, Value

MAX_TRIALS = 3
"""Rounds of a loop that are tried to see what changes."""
CHANGES = "it changes in a loop"


DONE = Leaf("done")
"""The loop was left by a `break` of its own; one in its `else` belongs to the loop around it."""


def _next_round(flow: Flow) -> Flow:
    return rename(flow, lambda leaf: {"continue": FALL, "break": DONE}.get(leaf.kind, leaf))


def _after_loop(flow: Flow) -> Flow:
    return rename(flow, lambda leaf: FALL if leaf == DONE else leaf)


def exec_for(m: Machine, node: nodes.For) -> Flow:
    iterable = m.see(expressions.evaluate(m, node.iter))
    iterators.start(m, iterable)
    return _for(m, node, iterable)


def _for(m: Machine, node: nodes.For, iterable: Value) -> Flow:
    cond = containers.deciding(m, iterable)
    if cond is not None:
        return join(cond, *m.fork(cond, lambda: _for(m, node, iterable), lambda: _for(m, node, iterable)))
    unfit.gone_through(m, node.iter, m.see(iterable))
    items = subscripts.iterate(m, iterable)
    if isinstance(items, list) and len(items) <= expressions.MAX_UNROLL:
        iterators.advance(m, m.see(iterable), items)
        return _after_loop(_unrolled(m, node, items, 0, m.see(iterable)))
    element = items.element if isinstance(items, Many) else m.unknown(node.iter, "an item of an unknown iterable")
    if isinstance(items, list):
        element = m.unknown(node.iter, "the loop is too long to follow round by round")

    def prepare() -> None:
        assignments.assign(m, node.target, element)

    return _one_round(m, node, prepare, prepare, None)


def _unrolled(m: Machine, node: nodes.For, items: list[Value], start: int, iterable: Value) -> Flow:
    for i in itertools.count(start):
        if isinstance(iterable, Obj) and iterable.kind == "list":
            # The body may change the list.
            now = containers.items_of(m, iterable)
            if now is None or i >= 2 * expressions.MAX_UNROLL:
                return _rest(m, node)
            items = now
        if isinstance(iterable, Obj) and iterable.kind == "iterator":
            # The body may take items itself.
            left = iterators.left(m, iterable, False)
            if not isinstance(left, Tup):
                return _rest(m, node)
            items, i = list(left.items), 0
        if i >= len(items):
            break
        m.step()
        iterators.advance(m, iterable, items[i + 1 :])
        assignments.assign(m, node.target, items[i])
        flow = _next_round(statements.exec_block(m, node.body))
        if flow == FALL:
            continue
        if "fall" not in endings(flow):
            return flow
        return statements.go_on(m, flow, lambda i=i, items=items: _unrolled(m, node, items, i + 1, iterable))  # type: ignore[misc]
    return statements.exec_block(m, node.orelse)


def _rest(m: Machine, node: nodes.For) -> Flow:
    """The rounds that are left once nobody knows how many there are."""

    def prepare() -> None:
        assignments.assign(m, node.target, m.unknown(node.iter, "an item of a list that the loop changes"))

    return _one_round(m, node, prepare, prepare, None)


def exec_while(m: Machine, node: nodes.While) -> Flow:
    return _after_loop(_while(m, node, 0, None))


def _while(m: Machine, node: nodes.While, start: int, before: rounds.Left | None) -> Flow:
    """The rounds of a `while` loop from that number on: one by one where they are known to come to an end."""
    for i in itertools.count(start):
        test = expressions.evaluate(m, node.test)
        before = rounds.left(m, node, before) if i < expressions.MAX_UNROLL else None
        decided = None if before is None else truths.truth(m, test, node.test)
        if decided == FALSE:
            return statements.exec_block(m, node.orelse)
        if decided != TRUE:
            return _one_round(m, node, lambda: None, lambda: expressions.evaluate(m, node.test), test)
        m.step()
        flow = _next_round(statements.exec_block(m, node.body))
        if flow == FALL:
            continue
        if "fall" not in endings(flow):
            return flow
        return statements.go_on(m, flow, lambda i=i, before=before: _while(m, node, i + 1, before))  # type: ignore[misc]
    raise AssertionError("there is always one more round")


def _one_round(
    m: Machine,
    node: nodes.For | nodes.While,
    enter: Callable[[], object],
    enter_again: Callable[[], object],
    test: Value | None,
) -> Flow:
    """The first round of a loop of unknown length, then what a later round would change is forgotten.

    `enter` is what is done before the first round, `enter_again` before each other.
    """

    def again() -> Flow:
        enter_again()
        return statements.exec_block(m, node.body)

    def all_rounds() -> Flow:
        before = len(m.frame.yields)
        enter()
        flow = statements.exec_block(m, node.body)
        if "raise" in endings(flow) or "return" in endings(flow):
            # A later round may go another way than the first.
            leaves = endings(flow) - {"fall", "continue", "break"}
            more = Cond(("leaves", m.spot(node), m.fresh()), "loop")
            if endings(flow) == leaves:
                flow = join(more, flow, FALL)
        if isinstance(node, nodes.While) and test is not None and _next_round(flow) == FALL:
            _asked_again(m, node)
        settle(m, again)
        if len(m.frame.yields) > before:
            m.frame.outer["#looped"] = "yes"
        return flow

    cond = Cond(("loop", m.spot(node), m.fresh()), "loop", "the loop runs")
    if test is None:
        flow: Flow = join(cond, *m.fork(cond, all_rounds, lambda: FALL))
    else:
        asked = node.test if isinstance(node, nodes.While) else None
        decided = truths.truth(m, test, asked)
        if decided == FALSE:
            flow = FALL
        elif decided == TRUE:
            flow = all_rounds()
        else:
            question, first, second = truths.branch(m, test, all_rounds, lambda: FALL, asked)
            flow = first if question is None else join(question, first, second)
    flow = _next_round(flow)
    if not node.orelse or "fall" not in endings(flow):
        return _after_loop(flow)
    if isinstance(node, nodes.While) and isinstance(node.test, nodes.Const) and node.test.value:
        return _after_loop(flow)  # it ends only where it breaks
    if breaks(node.body):
        # A later round may break where the first did not.
        late = Cond(("breaks", m.spot(node), m.fresh()))
        flow = graft_flow(flow, join(late, DONE, FALL))
    return _after_loop(statements.go_on(m, flow, lambda: statements.exec_block(m, node.orelse)))


def _asked_again(m: Machine, node: nodes.While) -> None:
    """Ask what a `while` asks after its first round, of which tracing may not know the answer that it knew before.

    Nothing that this changes is kept: it is done once more with each round on trial.
    """
    if m.root.watch is None:
        return
    pending, m.root.pending = m.root.pending, []
    m.store.push()
    try:
        truths.branch(m, expressions.evaluate(m, node.test), lambda: FALL, lambda: FALL, node.test)
    finally:
        m.store.pop()
        m.root.pending = pending


def breaks(body: list[nodes.Stmt]) -> bool:
    """Whether a `break` in these statements ends the loop around them."""
    for one in body:
        match one:
            case nodes.Jump(kind="break"):
                return True
            case nodes.For() | nodes.While():
                inner = one.orelse
            case nodes.If():
                inner = [*one.body, *one.orelse]
            case nodes.Try():
                inner = [*one.body, *one.orelse, *one.final, *(s for h in one.handlers for s in h.body)]
            case nodes.With():
                inner = one.body
            case nodes.Match():
                inner = [s for c in one.cases for s in c.body]
            case _:
                continue
        if breaks(inner):
            return True
    return False


def settle(m: Machine, body: Callable[[], Flow]) -> None:
    """Run further rounds on trial: cells they change differ from round to round and become unknown.

    What a round changes may depend on what the one before it changed, so it is run again until nothing new does.
    """
    if m.root.muted >= 2:
        return
    for _ in range(MAX_TRIALS):
        if not _widen(m, body):
            return


def _widen(m: Machine, body: Callable[[], Flow]) -> bool:
    """One round on trial; whether it changed a cell in a new way."""
    m.root.muted += 1
    pending, m.root.pending = m.root.pending, []
    m.store.push()
    try:
        body()
    finally:
        changes = m.store.pop()
        m.root.pending = pending
        m.root.muted -= 1
    widened_any = False
    for cell, later in changes.items():
        now = m.store.read(*cell)
        if now is None or _is_open(now) or comprehensions.alike(now, later):
            continue
        if isinstance(now, Obj) and all(comprehensions.alike(now, leaf) for _, leaf in leaves(later)):
            continue
        covered = _grown(m, now, later) if cell[1] == "#items" else hooks.widened(m, now, later)
        m.store.write(*cell, covered or Unknown(f"u{m.fresh()}", CHANGES))
        widened_any = True
    return widened_any


def _grown(m: Machine, now: Value, later: Value) -> Value | None:
    """The items of a list that a loop adds to, if they are alike: nobody knows how many there are."""
    found: list[Value] = []
    for _, held in ((None, now), *leaves(later)):
        if not isinstance(held, Tup | Many):
            return None
        found += held.items if isinstance(held, Tup) else [held.element]
    one = found[0] if found else None
    for item in found:
        if one is not None and not comprehensions.alike(one, item):
            one = hooks.widened(m, one, item)
    return None if one is None else Many(one)


def _is_open(value: Value) -> bool:
    """Whether a cell was found to change in a loop already."""
    return isinstance(value, Unknown) and value.reason == CHANGES
