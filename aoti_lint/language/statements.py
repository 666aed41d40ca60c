"""The effect of statements: what they bind, which way they go on, what they define."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.language import access, assignments, expressions, imports, truths
from aoti_lint.language.data import subscripts
from aoti_lint.language.effects import unread_dims
from aoti_lint.language.flow import assertions, handlers, loops, matching, raised, with_statements
from aoti_lint.machine import hooks
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine, is_newer, sequence
from aoti_lint.values.code import Code
from aoti_lint.values.conditions import Cond
from aoti_lint.values.flow import (
    BREAK,
    CONTINUE,
    FALL,
    Flow,
    Leaf,
    bounded,
    endings,
    graft,
    graft_flow,
    join,
    path_to,
    rename,
)
from aoti_lint.values.frames import MAY_FAIL, Frame, mangled
from aoti_lint.values.values import ABSENT, NONE, Const, Func, Unknown, Value

MAX_PATH = 40
"""Answers one path may hold before further branches are no longer told apart."""


def exec_block(m: Machine, body: list[nodes.Stmt]) -> Flow:
    """Run statements in order; where some paths leave early, the rest runs for those that go on."""
    saved = m.root.path, m.root.closed
    total: Flow = FALL
    try:
        for i, statement in enumerate(body):
            flow = exec_statement(m, statement)
            if flow == FALL:
                continue
            ends = endings(flow)
            if "fall" in ends and (m.root.guards or not ends <= {"fall", "raise"}):
                flow = go_on(m, flow, lambda rest=body[i + 1 :]: exec_block(m, rest))  # type: ignore[misc]
                return bounded(graft_flow(total, flow), m.fresh)
            total = bounded(graft_flow(total, flow), m.fresh)
            if "fall" not in ends:
                return total
            # Where an exception leaves for good nobody reads what the rest changes: it needs no layer of its own.
            m.root.assume(path_to(flow, "fall"))
    finally:
        m.root.path, m.root.closed = saved
    return total


def go_on(m: Machine, flow: Flow, rest: Callable[[], Flow], kind: str = "fall", handled: bool = False) -> Flow:
    """Run `rest` on the paths of `flow` that end in `kind`, and merge what it changes into those alone.

    `handled` says that a handler goes on where the flow raised, with what was there by then.
    """
    if kind != "fall":
        flow = rename(flow, lambda leaf: {kind: FALL, "fall": Leaf("passed")}.get(leaf.kind, leaf))
    since = m.last
    result, changes, pending = m.arm(path_to(flow, "fall"), rest)
    frame = m.frame.ident
    for cell, new in changes.items():
        if is_newer(cell[0], since):
            m.store.write(*cell, new)
            continue
        old = m.store.read(*cell) or ABSENT
        # A handler around this goes on with what was there when the exception left.
        left = frozenset(() if m.root.guards or handled else {"raise"})
        dead = left | {"return"} if cell[0] == frame else left
        m.store.write(*cell, graft(flow, old, new, dead))
    made = bounded(graft_flow(flow, sequence(m, [pending, result])), m.fresh)
    return rename(made, lambda leaf: FALL if leaf.kind == "passed" else leaf)


def exec_statement(m: Machine, node: nodes.Stmt) -> Flow:
    m.step()
    root = m.root
    root.frames[-1].at = node
    pending, root.pending = root.pending, []
    flow = TABLE[type(node)](m, node)
    mine, root.pending = root.pending, pending
    if mine:
        # A call on the way raised on some paths: only the others reach the end of the statement.
        flow = bounded(graft_flow(sequence(m, mine), flow), m.fresh)
    return flow


# ---------------------------------------------------------------- binding


def _assign(m: Machine, node: nodes.Assign) -> Flow:
    value = expressions.evaluate(m, node.value)
    for target in node.targets:
        assignments.assign(m, target, value)
    if m.world.has_dims:
        unread_dims.bound(m, node)
    return FALL


def _aug_assign(m: Machine, node: nodes.AugAssign) -> Flow:
    assignments.augment(m, node, expressions.evaluate(m, node.target), expressions.evaluate(m, node.value))
    return FALL


def _ann_assign(m: Machine, node: nodes.AnnAssign) -> Flow:
    if node.value is not None:
        assignments.assign(m, node.target, expressions.evaluate(m, node.value))
        if m.world.has_dims:
            unread_dims.bound(m, node)
    return FALL


def _expr(m: Machine, node: nodes.ExprStmt) -> Flow:
    if isinstance(node.value, nodes.Call):
        expressions.call_of(m, node.value, discarded=True)
    else:
        expressions.evaluate(m, node.value)
    return FALL


def _return(m: Machine, node: nodes.Return) -> Flow:
    return Leaf("return", NONE if node.value is None else expressions.evaluate(m, node.value))


def _raise(m: Machine, node: nodes.Raise) -> Flow:
    exception = node.exc.func if isinstance(node.exc, nodes.Call) else node.exc
    if exception is not None:
        raised.note(m, node, min(handlers.type_names(exception)))
    return Leaf("raise", NONE if node.exc is None else expressions.evaluate(m, node.exc))


def _delete(m: Machine, node: nodes.Delete) -> Flow:
    for target in node.targets:
        match target:
            case nodes.Name():
                assignments.delete_name(m, target)
            case nodes.Sub(base=base, index=index):
                subscripts.delete_item(m, target, expressions.evaluate(m, base), expressions.evaluate(m, index))
            case nodes.Attr(base=base, name=name):
                access.delete_attr(m, expressions.evaluate(m, base), mangled(m.frame, name))
            case _:
                pass
    return FALL


def _scope(m: Machine, node: nodes.Scope) -> Flow:
    for name in node.names:
        m.frame.outer[mangled(m.frame, name)] = node.kind
    return FALL


def _jump(m: Machine, node: nodes.Jump) -> Flow:
    return {"break": BREAK, "continue": CONTINUE}.get(node.kind, FALL)


# ---------------------------------------------------------------- branches


def _if(m: Machine, node: nodes.If) -> Flow:
    test = expressions.evaluate(m, node.test)
    if len(m.root.path) > MAX_PATH:
        test = Unknown(f"u{m.fresh()}", "too many branches inside each other")
    cond, first, second = _arms(m, test, node)
    return first if cond is None else join(cond, first, second)


def _arms(m: Machine, test: Value, node: nodes.If) -> tuple[Cond | None, Flow, Flow]:
    return truths.branch(m, test, lambda: exec_block(m, node.body), lambda: exec_block(m, node.orelse), node.test)


def _match(m: Machine, node: nodes.Match) -> Flow:
    subject = expressions.evaluate(m, node.subject)

    def case(index: int) -> Flow:
        if index == len(node.cases):
            return FALL
        one = node.cases[index]
        test, bound = matching.matches(m, one.pattern, subject)

        def bind() -> None:
            for name, value in bound.items():
                assignments.bind_name(m, name, value)

        def body() -> Flow:
            if one.guard is None:
                bind()
            return exec_block(m, one.body)

        if one.guard is not None:
            guard = one.guard

            def guarded() -> Value:
                # The names are bound before the guard is asked, and stay bound if it says no.
                bind()
                return truths.truth(m, expressions.evaluate(m, guard), guard)

            test = expressions.pick(m, test, guarded, lambda: Const(False))
        cond, first, second = truths.branch(m, test, body, lambda: case(index + 1))
        return first if cond is None else join(cond, first, second)

    return case(0)


# ---------------------------------------------------------------- definitions


def make_function(m: Machine, node: nodes.FunctionDef | nodes.Lambda, qualname: str) -> Func:
    """The function object, with its defaults evaluated now."""
    frame = m.frame
    defaults = {p.name: expressions.evaluate(m, p.default) for p in node.params if p.default is not None}
    in_class = frame.owner is not None and frame.ident == frame.owner.ident
    scopes = frame.scopes if in_class or frame.ident == frame.module.ident else (frame.ident, *frame.scopes)
    owner = frame.owner if in_class else None
    return Func(
        m.fresh(),
        Code.of(frame.module.path, node),
        frame.module,
        scopes,
        qualname,
        defaults,
        owner,
        private=frame.private,
    )


def inner_name(frame: Frame, name: str) -> str:
    return f"{frame.qualname}.{name}" if frame.qualname else name


def _function(m: Machine, node: nodes.FunctionDef) -> Flow:
    m.define(m.place(node))
    made = make_function(m, node, inner_name(m.frame, node.name))
    assignments.bind_name(m, node.name, decorate(m, node, made))
    return FALL


def decorate(m: Machine, node: nodes.FunctionDef | nodes.ClassDef, made: Value) -> Value:
    """Apply the decorators, innermost first."""
    value, told = made, len(m.facts.events)
    for decorator in reversed(node.decorators):
        value = hooks.decorated(m, node, decorator, value)
        if isinstance(value, Func) and value.place == m.place(node):
            m.do(_marked, value)
    if isinstance(value, Func) and len(m.facts.events) > told and hooks.may_be_left_out(m, value):
        # What they change for the time of the test, they change when it runs.
        for event in m.facts.events[told:]:
            event.expected |= MAY_FAIL.types
    return value


@change(waits=lambda func: ("demand", func.place[0]))
def _marked(m: Machine, func: Func) -> None:
    m.whole_demand.marked[func.place] = func


def _class(m: Machine, node: nodes.ClassDef) -> Flow:
    made = hooks.define_class(m, node, inner_name(m.frame, node.name))
    assignments.bind_name(m, node.name, decorate(m, node, made))
    return FALL


def _import(m: Machine, node: nodes.Import) -> Flow:
    imports.exec_import(m, node)
    return FALL


def _import_from(m: Machine, node: nodes.ImportFrom) -> Flow:
    imports.exec_import_from(m, node)
    return FALL


# Modules that import this one in turn are looked up when they are needed.
TABLE: dict[type, Callable[[Machine, Any], Flow]] = {
    nodes.Assign: _assign, nodes.AugAssign: _aug_assign, nodes.AnnAssign: _ann_assign, nodes.ExprStmt: _expr,
    nodes.Return: _return, nodes.Raise: _raise, nodes.Delete: _delete, nodes.Scope: _scope,
    nodes.Jump: _jump, nodes.If: _if, nodes.Match: _match, nodes.FunctionDef: _function, nodes.ClassDef: _class,
    nodes.Import: _import, nodes.ImportFrom: _import_from, nodes.Assert: lambda m, n: assertions.exec_assert(m, n),
    nodes.While: lambda m, n: loops.exec_while(m, n), nodes.For: lambda m, n: loops.exec_for(m, n),
    nodes.With: lambda m, n: with_statements.exec_with(m, n), nodes.Try: lambda m, n: handlers.exec_try(m, n),
}  # fmt: skip
