"""`with`: what a context manager does to the code inside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from aoti_lint.interp import access, calls, expressions, statements
from aoti_lint.interp.flow import FALL, Flow, kinds, raised, rename
from aoti_lint.interp.machine import Guard
from aoti_lint.interp.models import devices, registry
from aoti_lint.interp.models.registry import Call
from aoti_lint.interp.values import NONE, Bound, Class, Func, Obj, Ref, Value
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine


def exec_with(m: Machine, node: nodes.With) -> Flow:
    return _item(m, node, 0)


def _item(m: Machine, node: nodes.With, index: int) -> Flow:
    if index == len(node.items):
        return statements.exec_block(m, node.body)
    item = node.items[index]
    inner: list[Flow] = []

    def body(entered: Value) -> None:
        if item.target is not None:
            statements.assign(m, item.target, entered)
        inner.append(_item(m, node, index + 1))

    generator = _generator(m, item.value)
    if generator is not None:
        return _through_generator(m, *generator, body, inner)
    manage(m, item.value, m.see(expressions.evaluate(m, item.value)), body)
    return inner[0] if inner else FALL


def manage(m: Machine, node: nodes.Node, value: Value, body: Callable[[Value], None]) -> None:
    """Run `body` inside the context manager `value`."""
    manager = registry.METHODS.get((registry.tag_of(m, value), "__enter__"))
    if isinstance(value, Obj) and isinstance(value.cls, Class):
        _instance(m, node, value, value.cls, body)
    elif isinstance(value, Obj) and isinstance(value.cls, Ref) and value.cls.name in CONTEXTS:
        CONTEXTS[value.cls.name](m, node, value, body)
    elif devices.is_device(value):
        with devices.default(m, value):
            body(value)
    elif manager is not None:
        body(manager(m, Call(node, []), value))
    else:
        body(value)


def _instance(m: Machine, node: nodes.Node, value: Obj, cls: Class, body: Callable[[Value], None]) -> None:
    """An instance of a project class with `__enter__` and `__exit__`."""
    enter = access.class_member(m, cls, "__enter__") or access.class_member(m, cls, "__aenter__")
    leave = access.class_member(m, cls, "__exit__") or access.class_member(m, cls, "__aexit__")
    entered: Value = value
    if enter is not None and isinstance(enter[0], Func):
        entered = calls.call(m, Call(node, []), Bound(value, "__enter__", enter[0]))
    swallows = leave is not None and isinstance(leave[0], Func) and _may_swallow(leave[0])
    if swallows:
        m.guards.append(Guard(frozenset({"BaseException"}), expected=True))
    try:
        body(entered)
    finally:
        if swallows:
            m.guards.pop()
    if leave is not None and isinstance(leave[0], Func):
        calls.call(m, Call(node, [NONE, NONE, NONE]), Bound(value, "__exit__", leave[0]))


def _may_swallow(func: Func) -> bool:
    """Whether an `__exit__` returns anything that could be true."""
    if not isinstance(func.node, nodes.FunctionDef):
        return True
    todo: list[nodes.Stmt] = list(func.node.body)
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Return) and one.value is not None:
            if not (isinstance(one.value, nodes.Const) and not one.value.value):
                return True
        for name in ("body", "orelse", "final"):
            todo += getattr(one, name, None) or []
        todo += [s for h in getattr(one, "handlers", None) or [] for s in h.body]
    return False


def _generator(m: Machine, node: nodes.Expr) -> tuple[Func, Value | None, Call] | None:
    """The `contextlib.contextmanager` function that a `with` item calls, with receiver and arguments."""
    if isinstance(node, nodes.Call) and _is_dotted(node.func):
        func = m.see(expressions.evaluate(m, node.func))
        receiver = None
        if isinstance(func, Bound) and func.func is not None:
            func, receiver = func.func, func.receiver
        if isinstance(func, Func) and func.role == "context" and len(m.frames) < 12:
            return func, receiver, expressions.arguments(m, node)
    return None


def _is_dotted(node: nodes.Expr) -> bool:
    """Whether the expression is a name or attributes of one, so that looking at it twice does nothing."""
    while isinstance(node, nodes.Attr):
        node = node.base
    return isinstance(node, nodes.Name)


def _through_generator(
    m: Machine, func: Func, receiver: Value | None, site: Call, body: Callable[[Value], None], inner: list[Flow]
) -> Flow:
    """Run the generator; where it yields, the body of the `with` runs in the caller's frame, under its handlers."""
    caller = list(m.frames)
    chain = list(m.chain)
    frame = calls.frame_for(m, func, receiver)

    def on_yield(value: Value) -> None:
        if inner:
            return
        saved, saved_chain = m.frames, m.chain
        m.frames, m.chain = caller, chain
        try:
            body(value)
        finally:
            m.frames, m.chain = saved, saved_chain
        through = raised(inner[0]) if inner else FALL
        if through != FALL:
            m.pending.append(through)

    frame.on_yield = on_yield
    calls.run(m, site, func, receiver, calls.bind_arguments(m, site, func, receiver), frame)
    if not inner:
        body(m.unknown(site.node, "what the context manager yields"))
    flow = inner[0]
    if "raise" in kinds(flow):
        # The generator has seen the exception; what it let through is pending at the call.
        flow = rename(flow, lambda leaf: FALL if leaf.kind == "raise" else leaf)
    return flow


# ---------------------------------------------------------------- managers from outside

Manager = Callable[["Machine", nodes.Node, Obj, Callable[[Value], None]], None]
"""Takes the machine, the place, the object that is entered, and the body to run."""
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
    m.guards.append(Guard(types, expected))
    try:
        body(value)
    finally:
        m.guards.pop()

