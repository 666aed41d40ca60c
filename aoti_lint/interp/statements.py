"""The effect of statements: what they bind, which way they go on, what they define."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aoti_lint.interp import (
    access,
    containers,
    contexts,
    expressions,
    imports,
    loops,
    matching,
    operators,
    overloads,
    truths,
    unread,
)
from aoti_lint.interp.conditions import Cond
from aoti_lint.interp.flow import (
    BREAK,
    CONTINUE,
    FALL,
    Flow,
    Leaf,
    bounded,
    graft,
    graft_flow,
    join,
    kinds,
    path_to,
    rename,
)
from aoti_lint.interp.machine import Guard, is_newer, mangled, sequence
from aoti_lint.interp.models import registry
from aoti_lint.interp.store import Cell, Layer
from aoti_lint.interp.values import ABSENT, NONE, Choice, Class, Const, Func, Obj, Ref, Tensor, Unknown, Value, choose
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Frame, Machine

MAX_PATH = 40
"""Answers one path may hold before further branches are no longer told apart."""


def exec_block(m: Machine, body: list[nodes.Stmt]) -> Flow:
    """Run statements in order; where some paths leave early, the rest runs for those that go on."""
    saved = m.path
    total: Flow = FALL
    try:
        for i, statement in enumerate(body):
            flow = exec_statement(m, statement)
            if flow == FALL:
                continue
            ends = kinds(flow)
            if "fall" in ends and (m.guards or not ends <= {"fall", "raise"}):
                flow = go_on(m, flow, lambda rest=body[i + 1 :]: exec_block(m, rest))  # type: ignore[misc]
                return bounded(graft_flow(total, flow), m.fresh)
            total = bounded(graft_flow(total, flow), m.fresh)
            if "fall" not in ends:
                return total
            # Where an exception leaves for good nobody reads what the rest changes: it needs no layer of its own.
            m.path = {**m.path, **path_to(flow, "fall")}
    finally:
        m.path = saved
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
        if is_newer(cell, since):
            m.store.write(*cell, new)
            continue
        old = m.store.read(*cell) or ABSENT
        # A handler around this goes on with what was there when the exception left.
        dead = frozenset({"return"} if cell[0] == frame else ()) | frozenset(() if m.guards or handled else {"raise"})
        m.store.write(*cell, graft(flow, old, new, dead))
    made = bounded(graft_flow(flow, sequence(m, [pending, result])), m.fresh)
    return rename(made, lambda leaf: FALL if leaf.kind == "passed" else leaf)


def exec_statement(m: Machine, node: nodes.Stmt) -> Flow:
    m.step()
    m.frame.at = node
    pending, m.pending = m.pending, []
    flow = TABLE[type(node)](m, node)
    mine, m.pending = m.pending, pending
    if mine:
        # A call on the way raised on some paths: only the others reach the end of the statement.
        flow = bounded(graft_flow(sequence(m, mine), flow), m.fresh)
    return flow


# ---------------------------------------------------------------- binding


def bind_name(m: Machine, name: str, value: Value, frame: Frame | None = None) -> None:
    """`name = value` in the current frame, or in one around it."""
    frame = frame or m.frame
    name = mangled(frame, name)
    owner: object = frame.ident
    declared = frame.outer.get(name)
    if declared == "global":
        owner = frame.module.ident
    elif declared == "nonlocal":
        owner = next((s for s in frame.scopes if m.store.read(s, name) is not None), frame.ident)
    m.store.write(owner, name, value)


def assign(m: Machine, target: nodes.Expr, value: Value) -> None:
    """`target = value` for any target."""
    match target:
        case nodes.Name(id=name):
            bind_name(m, name, value)
        case nodes.Attr(base=base, name=name):
            access.set_attr(m, target, expressions.evaluate(m, base), mangled(m.frame, name), value)
        case nodes.Sub(base=base, index=index):
            owner = expressions.evaluate(m, base)
            access.set_item(m, target, owner, expressions.evaluate(m, index), value)
        case nodes.Seq(items=items):
            _unpack(m, target, items, value)
        case nodes.Star(value=inner):
            assign(m, inner, value)
        case _:
            pass


def _unpack(m: Machine, node: nodes.Node, targets: list[nodes.Expr], value: Value) -> None:
    value = m.see(value)
    items = containers.items_of(m, value)
    star = next((i for i, t in enumerate(targets) if isinstance(t, nodes.Star)), None)
    if items is not None and star is not None and len(items) >= len(targets) - 1:
        after = len(targets) - star - 1
        middle = items[star : len(items) - after]
        items = [*items[:star], m.new_list(middle), *(items[len(items) - after :] if after else [])]
    if items is not None and len(items) == len(targets):
        for target, item in zip(targets, items, strict=True):
            assign(m, target, item)
        return
    if m.watch is not None and items is not None:
        m.watch.not_unpacked(value, targets)
    element = containers.element_of(m, value)
    for i, target in enumerate(targets):
        if element is not None and not isinstance(target, nodes.Star):
            assign(m, target, element)
        else:
            assign(
                m, target, access.get_item(m, node, value, Const(i)) if items is None else m.unknown(node, "unpacked")
            )


def _assign(m: Machine, node: nodes.Assign) -> Flow:
    value = expressions.evaluate(m, node.value)
    for target in node.targets:
        assign(m, target, value)
    if m.has_dims:
        unread.bound(m, node)
    return FALL


IN_PLACE = {"|": "__ior__"}


def _aug_assign(m: Machine, node: nodes.AugAssign) -> Flow:
    _augment(m, node, expressions.evaluate(m, node.target), expressions.evaluate(m, node.value))
    return FALL


def _augment(m: Machine, node: nodes.AugAssign, before: Value, more: Value) -> Flow:
    before = m.see(before)
    if isinstance(before, Choice):
        then, other = before.then, before.other
        m.fork(before.cond, lambda: _augment(m, node, then, more), lambda: _augment(m, node, other, more))
        return FALL
    if isinstance(before, Obj) and before.kind == "list" and node.op == "+":
        first, second = containers.items_of(m, before), containers.items_of(m, more)
        containers.set_items(m, before, None if first is None or second is None else [*first, *second])
        return FALL
    if isinstance(before, Obj) and before.kind == "dict" and node.op == "|":
        merged = containers.merge_dicts(m, [before, more])
        containers.set_pairs(m, before, containers.dict_pairs(m, merged))
        return FALL
    if isinstance(before, Obj) and isinstance(before.cls, Class):
        made = overloads.in_place(m, node, node.op, before, more)
        if made is not None:
            assign(m, node.target, made)
            return FALL
    if m.watch is not None and isinstance(before, Tensor):
        m.watch.changed(m, node, before, node.op, [more])
    model = registry.METHODS.get((registry.tag_of(m, before), IN_PLACE.get(node.op, "")))
    if model is not None:
        model(m, registry.Call(node, [more]), before)
        return FALL
    assign(m, node.target, operators.binary(m, node, node.op, before, more))
    return FALL


def _ann_assign(m: Machine, node: nodes.AnnAssign) -> Flow:
    if node.value is not None:
        assign(m, node.target, expressions.evaluate(m, node.value))
        if m.has_dims:
            unread.bound(m, node)
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
    return Leaf("raise", NONE if node.exc is None else expressions.evaluate(m, node.exc))


def _assert(m: Machine, node: nodes.Assert) -> Flow:
    asked = m.version_questions
    test = expressions.evaluate(m, node.test)
    failed = Leaf("raise", Ref("AssertionError"))
    cond, first, second = truths.branch(m, test, lambda: FALL, lambda: failed, node.test)
    if cond is None and m.version_questions == asked and m.watch is None:
        # An assertion that fails for sure is more likely a value we got wrong than a script that never runs.
        return FALL
    return first if cond is None else join(cond, first, second)


def _delete(m: Machine, node: nodes.Delete) -> Flow:
    for target in node.targets:
        match target:
            case nodes.Name(id=name):
                bind_name(m, name, ABSENT)
            case nodes.Sub(base=base, index=index):
                access.delete_item(m, target, expressions.evaluate(m, base), expressions.evaluate(m, index))
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
    if len(m.path) > MAX_PATH:
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
                bind_name(m, name, value)

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


# ---------------------------------------------------------------- exceptions

LEAVING = frozenset({"exit", "_exit", "fail", "abort", "quit", "error"})
"""Functions that end the script or the test as a failure. One that is skipped was expected not to run."""


def handler_types(handlers: list[nodes.Handler]) -> frozenset[str]:
    """The exception types that are caught and not passed on."""
    found: set[str] = set()
    for handler in handlers:
        if handler.body and not _passes_on(handler.body[-1]):
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
        name = func.name if isinstance(func, nodes.Attr) else func.id if isinstance(func, nodes.Name) else ""
        return name in LEAVING
    return False


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


def _try(m: Machine, node: nodes.Try) -> Flow:
    flow = _try_body(m, node) if node.handlers else exec_block(m, node.body)
    if not node.handlers and node.orelse and "fall" in kinds(flow):
        flow = go_on(m, flow, lambda: exec_block(m, node.orelse))
    if node.final:
        last = exec_block(m, node.final)
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
        m.guards.append(Guard(caught_by(m, node.handlers)))
        try:
            flow = exec_block(m, node.body)
        finally:
            m.guards.pop()
        return flow

    def handlers(index: int = 0) -> Flow:
        one = node.handlers[index]
        if index + 1 == len(node.handlers):
            return handler(one)
        which = Cond(("handler", m.frame.module.path, one.start, m.frame.ident), "exception")
        return join(which, *m.fork(which, lambda: handler(one), lambda: handlers(index + 1)))

    def handler(one: nodes.Handler) -> Flow:
        if one.name is not None:
            bind_name(m, one.name, Unknown(f"u{m.fresh()}", "the exception"))
        return exec_block(m, one.body)

    # Whether anything raises is one question for each time the statement is reached.
    failed = Cond(("raised", m.frame.module.path, node.start, m.frame.ident), "exception", "an exception")
    since = m.last
    ran, changes, pending = m.arm({failed: False}, body)
    ran = sequence(m, [pending, ran])
    if "raise" in kinds(ran):
        m.store.commit(changes)
        if "fall" in kinds(ran) and node.orelse:
            ran = go_on(m, ran, lambda: exec_block(m, node.orelse), handled=True)
        return go_on(m, ran, handlers, "raise")
    if node.orelse and "fall" in kinds(ran):
        m.store.layers.append(changes)
        ran = go_on(m, ran, lambda: exec_block(m, node.orelse))
        changes = m.store.pop()
    # A handler that is reached by no failure we know of is for torch releases, or machines, we know nothing of.
    fallback = not MISSING.isdisjoint(handler_names(node))
    m.fallbacks += fallback
    try:
        recovered, repaired, also_pending = m.arm({failed: True}, lambda: after(m, changes, handlers))
    finally:
        m.fallbacks -= fallback
    recovered = sequence(m, [also_pending, recovered])
    m.merge(failed, repaired, changes, since)
    return join(failed, recovered, ran)


# ---------------------------------------------------------------- definitions


def make_function(m: Machine, node: nodes.FunctionDef | nodes.Lambda, qualname: str) -> Func:
    """The function object, with its defaults evaluated now."""
    frame = m.frame
    defaults = {p.name: expressions.evaluate(m, p.default) for p in node.params if p.default is not None}
    in_class = frame.owner is not None and frame.ident == frame.owner.ident
    scopes = frame.scopes if in_class or frame.ident == frame.module.ident else (frame.ident, *frame.scopes)
    owner = frame.owner if in_class else None
    return Func(m.fresh(), node, frame.module, scopes, qualname, defaults, owner, private=frame.private)


def inner_name(frame: Frame, name: str) -> str:
    return f"{frame.qualname}.{name}" if frame.qualname else name


def _function(m: Machine, node: nodes.FunctionDef) -> Flow:
    before = m.defined.get(id(node))
    m.defined[id(node)] = {c: a for c, a in m.path.items() if before is None or before.get(c) == a}
    made = make_function(m, node, inner_name(m.frame, node.name))
    bind_name(m, node.name, decorate(m, node, made))
    return FALL


def decorate(m: Machine, node: nodes.FunctionDef | nodes.ClassDef, made: Value) -> Value:
    """Apply the decorators, innermost first."""
    from aoti_lint.interp.models import decorators

    value = made
    for decorator in reversed(node.decorators):
        value = decorators.apply(m, node, decorator, value)
    return value


def _class(m: Machine, node: nodes.ClassDef) -> Flow:
    from aoti_lint.interp.models import classes

    made = classes.define(m, node, inner_name(m.frame, node.name))
    bind_name(m, node.name, decorate(m, node, made))
    return FALL


def _import(m: Machine, node: nodes.Import) -> Flow:
    imports.exec_import(m, node)
    return FALL


def _import_from(m: Machine, node: nodes.ImportFrom) -> Flow:
    imports.exec_import_from(m, node)
    return FALL


# Loops and contexts import this module: they are looked up when they are needed.
TABLE: dict[type, Callable[[Machine, Any], Flow]] = {
    nodes.Assign: _assign, nodes.AugAssign: _aug_assign, nodes.AnnAssign: _ann_assign, nodes.ExprStmt: _expr,
    nodes.Return: _return, nodes.Raise: _raise, nodes.Assert: _assert, nodes.Delete: _delete, nodes.Scope: _scope,
    nodes.Jump: _jump, nodes.If: _if, nodes.Try: _try, nodes.Match: _match, nodes.FunctionDef: _function,
    nodes.ClassDef: _class, nodes.Import: _import, nodes.ImportFrom: _import_from,
    nodes.While: lambda m, n: loops.exec_while(m, n), nodes.For: lambda m, n: loops.exec_for(m, n),
    nodes.With: lambda m, n: contexts.exec_with(m, n),
}  # fmt: skip
