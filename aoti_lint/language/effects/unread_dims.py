"""Names that hold a `Dim`, or what is made of them, and that no code reads."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.data import frozen
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.exports import ShapesUnread
from aoti_lint.values.torch_values import DimValue
from aoti_lint.values.values import Choice, Class, Func, NodePlace, Obj, Pairs, Tup, Value

HOLDERS = frozenset({DimValue, Tup, Pairs, Choice})
"""Kinds of frozen values that are or hold a dimension."""
BY_NAME = frozenset({"locals", "globals", "vars", "eval", "exec"})
"""Functions that read variables without naming them."""


def bound(m: Machine, statement: nodes.Assign | nodes.AnnAssign) -> None:
    """Tell the rules of the names that a statement binds to a `Dim` or a container of some, if nothing reads them."""
    if m.root.muted or m.root.trace is not None:
        return
    frame, func = m.frame, m.frame.func
    if frame.owner is not None and func is None:
        return  # an attribute of a class
    node = func.node if func is not None else m.project.module(frame.module.path)
    if not isinstance(node, nodes.FunctionDef | nodes.Module):
        return
    for target in statement.targets if isinstance(statement, nodes.Assign) else [statement.target]:
        filled = _filled(target)
        if filled is not None and filled.id in uses_of(m, node).refilled:
            continue
        for name in [filled] if filled is not None else _names(target):
            held = _frozen(m, node, name.id, m.read(frame.ident, name.id) or Tup(()))
            if holds_dims(held) and (name in (target, filled) or isinstance(held, DimValue)):
                _tell(m, node, name.id, name, held)


def given(m: Machine, func: Func, arguments: dict[str, Value]) -> None:
    """Tell the rules of the parameters that a call sets to `Dim`s or a container of some, if the body reads none."""
    if m.root.muted or m.root.trace is not None or not isinstance(func.node, nodes.FunctionDef):
        return
    for param in func.node.params:
        if param.kind in ("var", "kwvar") or param.name not in arguments:
            continue
        held = _frozen(m, func.node, param.name, arguments[param.name])
        if holds_dims(held):
            _tell(m, func.node, param.name, param, held)


def _frozen(m: Machine, node: nodes.FunctionDef | nodes.Module, name: str, value: Value) -> Value:
    """What a variable holds as a copy, where that may matter."""
    value = m.see(value)
    if isinstance(value, Obj):
        if value.kind == "instance" and not (
            isinstance(value.cls, Class) and m.read(value.cls.ident, frozen.REGISTERED)
        ):
            return value
    elif type(value) not in HOLDERS:
        return value
    # The body of a function that runs is at hand; those of all functions of a file need not be.
    return value if isinstance(node, nodes.FunctionDef) and _is_read(m, node, name) else frozen.freeze(m, value)


def _is_read(m: Machine, node: nodes.FunctionDef | nodes.Module, name: str) -> bool:
    """Whether code may read a variable, or says by its name that none does."""
    return name.startswith("_") or uses_of(m, node).reads(name)


def _tell(m: Machine, node: nodes.FunctionDef | nodes.Module, name: str, place: nodes.Node, held: Value) -> None:
    if _is_read(m, node, name):
        return
    scope = Span(m.frame.module.path, node.start, node.end)
    m.emit(ShapesUnread, place, name=name, held=held, scope=scope, whole=isinstance(node, nodes.Module))


def holds_dims(value: Value) -> bool:
    """Whether a value is a dynamic dimension, or a frozen container with one in it."""
    return type(value) in HOLDERS and any(dim.kind != "STATIC" for dim in _dims(value))


def _dims(value: Value) -> Iterator[DimValue]:
    match value:
        case DimValue():
            yield value
        case Tup(items):
            for item in items:
                yield from _dims(item)
        case Pairs(pairs):
            for _, item in pairs:
                yield from _dims(item)
        case Choice(then=then, other=other):
            yield from _dims(then)
            yield from _dims(other)


class Uses:
    """What the code of a function or a file does with its variables, the code of inner functions included."""

    def __init__(self, scope: nodes.FunctionDef | nodes.Module) -> None:
        self.scope = scope
        self.by_name = False
        """Whether it may read any variable without naming it."""
        self.read: set[str] = set()
        self.refilled: set[str] = set()
        """The variables that are set to something else than a new container."""
        written: set[int] = set()
        names: list[nodes.Name] = []
        for node in every_node(scope.body):
            match node:
                case nodes.Assign(targets=targets, value=value):
                    bound = [one for target in targets for one in _names(target)]
                    written |= {id(one) for one in (*bound, *map(_filled, targets))}
                    if not _is_new(value):
                        self.refilled |= {one.id for one in bound}
                    if any(one.id == "__all__" for one in bound):
                        consts = (one.value for one in every_node(value) if isinstance(one, nodes.Const))
                        self.read |= {one for one in consts if isinstance(one, str)}
                case nodes.AnnAssign(target=nodes.Name() as target, value=given):
                    written.add(id(target))
                    if given is None or not _is_new(given):
                        self.refilled.add(target.id)
                case nodes.Scope(names=named):
                    self.read |= set(named)
                case nodes.Call(func=nodes.Name(id=called)) if called in BY_NAME:
                    self.by_name = True
                case nodes.Name():
                    names.append(node)
        self.read |= {one.id for one in names if id(one) not in written}
        if isinstance(scope, nodes.FunctionDef):
            self.refilled |= {param.name for param in scope.params}

    def reads(self, name: str) -> bool:
        """Whether the code may read a variable."""
        return self.by_name or name in self.read


class KnownUses(dict[NodePlace, Uses]):
    """By their places: what functions and files do with their variables."""


def uses_of(m: Machine, scope: nodes.FunctionDef | nodes.Module) -> Uses:
    known, place = m.world.of(KnownUses), m.place(scope)
    if place not in known or known[place].scope is not scope:
        known[place] = Uses(scope)
    return known[place]


def _names(target: nodes.Expr) -> Iterator[nodes.Name]:
    """The names that an assignment to `target` binds."""
    match target:
        case nodes.Name():
            yield target
        case nodes.Seq(items=items):
            for item in items:
                yield from _names(item)
        case nodes.Star(value=value):
            yield from _names(value)


def _filled(target: nodes.Expr) -> nodes.Name | None:
    """The variable whose item an assignment to `target` sets."""
    while isinstance(target, nodes.Sub):
        target = target.base
        if isinstance(target, nodes.Name):
            return target
    return None


def _is_new(value: nodes.Expr) -> bool:
    match value:
        case nodes.DictDisplay() | nodes.Seq() | nodes.Comp():
            return True
        case nodes.Call(func=nodes.Name(id="dict" | "list")):
            return True
    return False
