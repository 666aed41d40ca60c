"""Exceptions that are caught: which handler goes on where something raised, and with what."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import assignments, expressions, imports, statements
from aoti_lint.language.data import containers
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.machine.machine import Machine, sequence
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import Cond
from aoti_lint.values.flow import FALL, Flow, endings, graft_flow, join
from aoti_lint.values.frames import Guard
from aoti_lint.values.store import Cell, Layer
from aoti_lint.values.values import ABSENT, Class, Ref, Unknown, Value

LEAVING = frozenset({"exit", "_exit", "fail", "abort", "quit", "error"})
"""Functions that end the script or the test as a failure. One that is skipped was expected not to run."""


def handler_types(handlers: list[nodes.Handler]) -> frozenset[str]:
    """The exception types that are caught and not passed on."""
    found: set[str] = set()
    for handler in handlers:
        if handler.body and (not _passes_on(handler.body[-1]) or _may_go_on(handler.body)):
            found |= type_names(handler.type)
    return frozenset(found)


MISSING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError"})
"""What a name that is not there raises."""


def handler_names(node: nodes.Try) -> set[str]:
    """The exception types a `try` names, with those that say so only by what they guard."""
    named = {n for handler in node.handlers for n in type_names(handler.type)}
    imports_only = all(isinstance(s, nodes.Import | nodes.ImportFrom) for s in node.body)
    return named | {"ImportError"} if imports_only else named


def _passes_on(last: nodes.Stmt) -> bool:
    if isinstance(last, nodes.Raise):
        return True
    if isinstance(last, nodes.ExprStmt) and isinstance(last.value, nodes.Call):
        func = last.value.func
        if isinstance(func, nodes.Attr) and func.name == "error":
            # That of an `argparse` parser ends the script, that of a logger does not.
            return isinstance(func.base, nodes.Name) and func.base.id in ("ap", "argparser", "p", "parser")
        name = func.name if isinstance(func, nodes.Attr) else func.id if isinstance(func, nodes.Name) else ""
        return name in LEAVING
    return False


def _may_go_on(body: list[nodes.Stmt]) -> bool:
    """Whether a handler that raises at its end may leave before it, such as to try something else."""
    return any(
        isinstance(one, nodes.Return) or (isinstance(one, nodes.Jump) and one.kind != "pass")
        for one in every_node(body)
    )


def type_names(node: nodes.Expr | None) -> set[str]:
    match node:
        case None:
            return {"BaseException"}
        case nodes.Name(id=name) | nodes.Attr(name=name):
            return {name}
        case nodes.Seq(items=items):
            return {n for item in items for n in type_names(item)}
        case nodes.Star(value=inner):
            return type_names(inner)
        case _:
            return {"BaseException"}


def caught_by(m: Machine, handlers: list[nodes.Handler]) -> frozenset[str]:
    """As `handler_types`, with names that hold exception types looked up."""
    found: set[str] = set()
    for name in handler_types(handlers):
        value = expressions.lookup(m, name)
        items = containers.items_of(m, value) if value is not None else None
        refs = items if items is not None else [value]
        found |= {r.name.rsplit(".", 1)[-1] for r in refs if isinstance(r, Ref)} or (
            {name} if value is None or isinstance(value, Class) else {"BaseException"}
        )
    return frozenset(found)


def exec_try(m: Machine, node: nodes.Try) -> Flow:
    flow = _try_body(m, node) if node.handlers else statements.exec_block(m, node.body)
    if not node.handlers and node.orelse and "fall" in endings(flow):
        flow = statements.go_on(m, flow, lambda: statements.exec_block(m, node.orelse))
    if node.final:
        last = statements.exec_block(m, node.final)
        flow = flow if last == FALL else graft_flow(last, flow)
    return flow


def lose(m: Machine, changes: dict[Cell, Value]) -> None:
    """After a failure in code that changed these cells: each holds what it held before, or one of the values since."""
    again = changes.again if isinstance(changes, Layer) else set()
    late = Cond(("late", m.frame.module.path, m.fresh()), "unknown", "something raised before or after it was changed")
    for cell, new in changes.items():
        old = m.store.read(*cell)
        if cell in again:
            m.store.write(*cell, Unknown(f"u{m.fresh()}", "it was being changed when something raised"))
        elif old is not None and old is not ABSENT and old != new and isinstance(cell[0], int):
            m.store.write(*cell, choose(late, new, old))


def after(m: Machine, changes: dict[Cell, Value], rest: Callable[[], Flow]) -> Flow:
    """Run `rest` after a failure in code that changed these cells."""
    lose(m, changes)
    return rest()


def _try_body(m: Machine, node: nodes.Try) -> Flow:
    def body() -> Flow:
        m.root.guards.append(Guard(caught_by(m, node.handlers)))
        try:
            flow = statements.exec_block(m, node.body)
        finally:
            m.root.guards.pop()
        return flow

    def handlers(index: int = 0) -> Flow:
        one = node.handlers[index]
        if index + 1 == len(node.handlers):
            return handler(one)
        which = Cond(("handler", m.spot(one), m.frame.ident), "exception")
        return join(which, *m.fork(which, lambda: handler(one), lambda: handlers(index + 1)))

    def handler(one: nodes.Handler) -> Flow:
        if one.name is not None:
            assignments.bind_name(m, one.name, Unknown(f"u{m.fresh()}", "the exception"))
        return statements.exec_block(m, one.body)

    if all(imports.succeeds(m, one) for one in node.body):
        return statements.exec_block(m, [*node.body, *node.orelse])
    # Whether anything raises is one question for each time the statement is reached.
    failed = Cond(("raised", m.spot(node), m.frame.ident), "exception", "an exception")
    since = m.last
    ran, changes, pending = m.arm({failed: False}, body)
    ran = sequence(m, [pending, ran])
    if "raise" in endings(ran):
        m.store.commit(changes)
        if "fall" in endings(ran) and node.orelse:
            ran = statements.go_on(m, ran, lambda: statements.exec_block(m, node.orelse), handled=True)
        return statements.go_on(m, ran, handlers, "raise")
    if node.orelse and "fall" in endings(ran):
        m.store.put_back(changes)
        ran = statements.go_on(m, ran, lambda: statements.exec_block(m, node.orelse))
        changes = m.store.pop()
    # A handler that is reached by no failure we know of is for torch releases, or machines, we know nothing of.
    fallback = not MISSING.isdisjoint(handler_names(node))
    m.root.fallbacks += fallback
    try:
        recovered, repaired, also_pending = m.arm({failed: True}, lambda: after(m, changes, handlers))
    finally:
        m.root.fallbacks -= fallback
    recovered = sequence(m, [also_pending, recovered])
    m.merge(failed, repaired, changes, since)
    return join(failed, recovered, ran)
