"""`with`: what a context manager does to the code inside it."""

from __future__ import annotations

import re
from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import access, assignments, calls, expressions, functions, kinds, statements
from aoti_lint.language.flow import handlers
from aoti_lint.lazily.regex import regex
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.machine import MAX_DEPTH, Machine
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.flow import FALL, Flow, endings, join, raised, rename
from aoti_lint.values.frames import MAY_FAIL, Guard
from aoti_lint.values.values import NONE, Bound, Choice, Class, Func, Obj, Partial, Ref, Unknown, Value

_PATCHING = regex(r"patch|rewrit|bypass|override", re.IGNORECASE)
GENERATOR = Ref("contextlib.contextmanager()")
"""What a call of a `contextlib.contextmanager` function makes, with the function and its arguments."""


def exec_with(m: Machine, node: nodes.With) -> Flow:
    return _item(m, node, 0)


def _item(m: Machine, node: nodes.With, index: int) -> Flow:
    if index == len(node.items):
        return statements.exec_block(m, node.body)
    return _managed(m, node, index, m.see(expressions.evaluate(m, node.items[index].value)))


def _body(m: Machine, node: nodes.With, index: int, inner: list[Flow]) -> Callable[[Value], None]:
    """What runs inside the manager: the binding of its target, then the next manager or the block."""
    target = node.items[index].target

    def body(entered: Value) -> None:
        if target is not None:
            assignments.assign(m, target, entered)
        inner.append(_item(m, node, index + 1))

    return body


def _managed(m: Machine, node: nodes.With, index: int, value: Value) -> Flow:
    if isinstance(value, Choice):
        then, other = value.then, value.other
        arms = m.fork(
            value.cond, lambda: _managed(m, node, index, m.see(then)), lambda: _managed(m, node, index, m.see(other))
        )
        return join(value.cond, *arms)
    inner: list[Flow] = []
    through = _generator_flow(m, node.items[index].value, value, _body(m, node, index, inner), inner)
    if through is not None:
        return through
    since = m.last
    swallows, changes, pending = m.arm(
        {}, lambda: manage(m, node.items[index].value, value, _body(m, node, index, inner))
    )
    flow = inner[0] if inner else FALL
    if pending != FALL:
        m.root.pending.append(pending)
    if not swallows:
        m.store.commit(changes)
        return flow
    # The block may have ended anywhere: what it changed is as it was before, or as it left it.
    failed = Cond(("swallowed", m.spot(node), m.frame.ident), "exception", "an exception")
    _, undone, _ = m.arm({failed: True}, lambda: handlers.lose(m, changes))
    m.merge(failed, undone, changes, since)
    return rename(flow, lambda leaf: FALL if leaf.kind == "raise" else leaf)


def _generator_flow(
    m: Machine, node: nodes.Node, value: Value, body: Callable[[Value], None], inner: list[Flow]
) -> Flow | None:
    """Run `body` inside a `contextlib.contextmanager` function; None if `value` is no call of one."""
    if not (isinstance(value, Partial) and value.func == GENERATOR and len(m.root.frames) < MAX_DEPTH - 2):
        return None
    made, *args = value.args
    func, receiver = (made.func, made.receiver) if isinstance(made, Bound) else (made, None)
    if not isinstance(func, Func):
        return None
    inside = _maybe_failing(m, body) if _patches(node, getattr(func.node, "name", "")) else body
    return through_generator(m, func, receiver, Call(node, args, dict(value.kwargs)), inside, inner)


def enter(m: Machine, node: nodes.Node, value: Value, body: Callable[[Value], None]) -> None:
    """Run `body`, which always goes on, inside the context manager `value`."""
    inner: list[Flow] = []

    def fall(entered: Value) -> None:
        body(entered)
        inner.append(FALL)

    if _generator_flow(m, node, value, fall, inner) is None:
        manage(m, node, value, fall)


def manage(m: Machine, node: nodes.Node, value: Value, body: Callable[[Value], None]) -> bool:
    """Run `body` inside the context manager `value`; gives whether an exception in it ends there."""
    manager = tables.METHODS.get((kinds.tag_of(m, value), "__enter__"))
    if isinstance(value, Obj) and isinstance(value.cls, Class):
        return _instance(m, node, value, value.cls, body)
    if isinstance(value, Obj) and isinstance(value.cls, Ref) and value.cls.name in CONTEXTS:
        return bool(CONTEXTS[value.cls.name](m, node, value, body))
    if (placed := hooks.on_device(m, value)) is not None:
        with placed:
            body(value)
    elif manager is not None:
        body(manager(m, Call(node, []), value))
    elif isinstance(value, Unknown) and _patches(node):
        _maybe_failing(m, body)(value)
    else:
        body(value)
    return False


def _patches(node: nodes.Node, known: str = "") -> bool:
    """Whether a context manager says by a name that it puts other code in the place of some.

    What raises without it may well pass inside: a forward that is rewritten, a function of torch.
    """
    func = node.func if isinstance(node, nodes.Call) else node
    name = func.name if isinstance(func, nodes.Attr) else func.id if isinstance(func, nodes.Name) else ""
    return any(map(_PATCHING.search, (name, known)))


def _maybe_failing(m: Machine, body: Callable[[Value], None]) -> Callable[[Value], None]:
    """The body, of which nobody knows whether it fails."""

    def run(entered: Value) -> None:
        m.root.guards.append(MAY_FAIL)
        try:
            body(entered)
        finally:
            m.root.guards.pop()

    return run


def _instance(m: Machine, node: nodes.Node, value: Obj, cls: Class, body: Callable[[Value], None]) -> bool:
    """An instance of a project class with `__enter__` and `__exit__`."""
    enter = access.class_member(m, cls, "__enter__") or access.class_member(m, cls, "__aenter__")
    leave = access.class_member(m, cls, "__exit__") or access.class_member(m, cls, "__aexit__")
    entered: Value = value
    if enter is not None and isinstance(enter[0], Func):
        entered = calls.call(m, Call(node, []), Bound(value, "__enter__", enter[0]))
    swallows = leave is not None and isinstance(leave[0], Func) and _may_swallow(leave[0])
    (_maybe_failing(m, body) if swallows or _patches(node, cls.node.name) else body)(entered)
    if leave is not None and isinstance(leave[0], Func):
        calls.call(m, Call(node, [NONE, NONE, NONE]), Bound(value, "__exit__", leave[0]))
    return swallows


def _may_swallow(func: Func) -> bool:
    """Whether an `__exit__` returns anything that could be true."""
    if not isinstance(func.node, nodes.FunctionDef):
        return True
    todo: list[nodes.Stmt] = list(func.node.body)
    while todo:
        one = todo.pop()
        returned = one.value if isinstance(one, nodes.Return) else None
        if returned is not None and not (isinstance(returned, nodes.Const) and not returned.value):
            return True
        for name in ("body", "orelse", "final"):
            todo += getattr(one, name, None) or []
        todo += [s for h in getattr(one, "handlers", None) or [] for s in h.body]
    return False


def through_generator(
    m: Machine, func: Func, receiver: Value | None, site: Call, body: Callable[[Value], None], inner: list[Flow]
) -> Flow:
    """Run the generator; where it yields, the body of the `with` runs in the caller's frame, under its handlers."""
    caller = list(m.root.frames)
    chain = list(m.root.chain)
    frame = functions.frame_for(m, func, receiver)

    def on_yield(value: Value) -> None:
        if inner:
            return
        with m.root.standing(caller, chain):
            body(value)
        through = raised(inner[0]) if inner else FALL
        if through != FALL:
            m.root.pending.append(through)

    frame.on_yield = on_yield
    functions.run(m, site, func, receiver, functions.bind_arguments(m, site, func, receiver), frame)
    if not inner:
        body(m.unknown(site.node, "what the context manager yields"))
    flow = inner[0]
    if "raise" in endings(flow):
        # The generator has seen the exception; what it let through is pending at the call.
        flow = rename(flow, lambda leaf: FALL if leaf.kind == "raise" else leaf)
    return flow


# ---------------------------------------------------------------- managers from outside

Manager = Callable[["Machine", nodes.Node, Obj, Callable[[Value], None]], "bool | None"]
"""Takes the machine, the place, the object that is entered, and the body to run; True if an exception ends there."""
CONTEXTS: dict[str, Manager] = {}


def context(*names: str) -> Callable[[Manager], Manager]:
    """The model of a context manager from outside the project, by the qualified name of what makes it."""

    def register(manager: Manager) -> Manager:
        for name in names:
            CONTEXTS[name] = manager
        return manager

    return register


def guarded(m: Machine, types: frozenset[str], expected: bool, body: Callable[[Value], None], value: Value) -> None:
    """Run `body` where these exceptions are caught."""
    m.root.guards.append(Guard(types, expected))
    try:
        body(value)
    finally:
        m.root.guards.pop()
