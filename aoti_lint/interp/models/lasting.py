"""Whether something that code makes is still held when the function that makes it has ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine


def ends_with_call(m: Machine, made: nodes.Node) -> bool:
    """Whether nothing holds the value of the call `made` once the running function, or statement, has ended.

    That is so for a method called on it at once, and for a local variable of a function that is only used as the
    object of method calls or as an argument of `torch.library`.
    """
    statement, func = m.frame.at, m.frame.func
    if statement is None:
        return False
    if isinstance(statement, nodes.ExprStmt):
        return _is_receiver(statement.value, made)
    if func is None or not isinstance(func.node, nodes.FunctionDef) or func.node.is_generator:
        return False
    if not (isinstance(statement, nodes.Assign) and statement.value is made):
        return False
    names = [target.id for target in statement.targets if isinstance(target, nodes.Name)]
    if len(names) != len(statement.targets):
        return False
    return all(_only_used(func.node.body, name, statement) for name in names)


def _is_receiver(expression: nodes.Expr, made: nodes.Node) -> bool:
    """Whether an expression statement only calls methods on `made`."""
    while isinstance(expression, nodes.Call) and isinstance(expression.func, nodes.Attr):
        expression = expression.func.base
        if expression is made:
            return True
    return False


def _only_used(body: list[nodes.Stmt], name: str, bound: nodes.Stmt) -> bool:
    """Whether a local variable is only read as the object of a method call or as an argument of a registration."""
    written = {id(target) for target in bound.targets} if isinstance(bound, nodes.Assign) else set()
    allowed = set(written)
    for node in _walk(body):
        match node:
            case nodes.Call(func=nodes.Attr(base=base, name=called), args=args):
                allowed.add(id(base))
                allowed |= {id(arg.value) for arg in args} if called in REGISTRATIONS else set()
            case nodes.Call(func=nodes.Name(id=called), args=args) if called in REGISTRATIONS:
                allowed |= {id(arg.value) for arg in args}
            case nodes.Scope(names=names) if name in names:
                return False
            case nodes.FunctionDef() | nodes.Lambda() | nodes.ClassDef():
                if any(isinstance(one, nodes.Name) and one.id == name for one in _inside(node)):
                    return False
    reads = (one for one in _walk(body) if isinstance(one, nodes.Name) and one.id == name)
    return all(id(one) in allowed for one in reads)


REGISTRATIONS = frozenset({"impl", "register_fake", "impl_abstract", "define", "register_kernel", "register_autograd",
                           "register_vmap", "fallthrough_kernel"})  # fmt: skip
"""Functions of `torch.library` that a library may be handed to; they do not keep it."""


def _inside(node: nodes.FunctionDef | nodes.Lambda | nodes.ClassDef) -> Iterator[nodes.Node]:
    """What runs when a nested function is called (its decorators run before)."""
    match node:
        case nodes.FunctionDef():
            yield from _walk(node.body)
        case nodes.Lambda():
            yield from _walk([node.body])
        case nodes.ClassDef():
            yield from _walk(node.body)


def _walk(found: object) -> Iterator[nodes.Node]:
    """All nodes, those in the bodies of nested functions included."""
    todo = [found]
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Node):
            yield one
            todo += [getattr(one, field.name) for field in fields(one) if field.name != "code"]
            if isinstance(one, nodes.FunctionDef):
                todo.append(one.body)
        elif isinstance(one, list | tuple):
            todo += one
