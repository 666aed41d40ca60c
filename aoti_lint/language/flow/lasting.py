"""Whether something that code makes is still held when the function that makes it has ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from aoti_lint.ir import nodes
from aoti_lint.ir.names import is_main_guard
from aoti_lint.machine.machine import Machine


def ends_with(m: Machine, made: nodes.Node) -> Literal["", "function", "statement"]:
    """What is the last thing to hold the value of the call `made`: the running function, or the statement.

    The statement, if a method is called on it at once; the function, if it is in a local variable that is only used as
    the object of method calls or as an argument of `torch.library`. Empty if it may last longer.
    """
    statement, func = m.frame.at, m.frame.func
    if statement is None:
        return ""
    if isinstance(statement, nodes.ExprStmt):
        return "statement" if _is_receiver(statement.value, made) else ""
    if func is None or not isinstance(func.node, nodes.FunctionDef) or func.node.is_generator:
        return ""
    if not (isinstance(statement, nodes.Assign) and statement.value is made):
        return ""
    names = [target.id for target in statement.targets if isinstance(target, nodes.Name)]
    if len(names) != len(statement.targets):
        return ""
    return "function" if all(_only_used(func.node.body, name, statement) for name in names) else ""


def under_main_guard(m: Machine) -> bool:
    """Whether the top level of a script runs what stands under `if __name__ == "__main__":`."""
    outermost = m.root.frames[0]
    tree = m.project.module(outermost.module.path)
    if tree is None or outermost.func is not None:
        return False
    guards = [statement.body for statement in tree.body if is_main_guard(statement)]
    return any(node is outermost.at for node in every_node(guards))


def _is_receiver(expression: nodes.Expr, made: nodes.Node) -> bool:
    """Whether an expression statement only calls methods on `made`."""
    while isinstance(expression, nodes.Call) and isinstance(expression.func, nodes.Attr):
        expression = expression.func.base
        if expression is made:
            return True
    return False


def _until_bound_again(body: list[nodes.Stmt], name: str, bound: nodes.Stmt) -> list[nodes.Stmt]:
    """The statements of a body up to the one in it that surely gives the name another value."""
    after = next((index + 1 for index, one in enumerate(body) if one is bound), len(body))
    for index, one in enumerate(body[after:], after):
        if isinstance(one, nodes.Assign) and any(isinstance(t, nodes.Name) and t.id == name for t in one.targets):
            return [*body[:index], nodes.ExprStmt(one.start, one.end, value=one.value)]
    return body


def _only_used(body: list[nodes.Stmt], name: str, bound: nodes.Stmt) -> bool:
    """Whether a local variable is only read as the object of a method call or as an argument of a registration."""
    body = _until_bound_again(body, name, bound)
    written = {id(target) for target in bound.targets} if isinstance(bound, nodes.Assign) else set()
    allowed = set(written)
    for node in every_node(body):
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
    reads = (one for one in every_node(body) if isinstance(one, nodes.Name) and one.id == name)
    return all(id(one) in allowed for one in reads)


REGISTRATIONS = frozenset({"impl", "register_fake", "impl_abstract", "define", "register_kernel", "register_autograd",
                           "register_vmap", "fallthrough_kernel"})  # fmt: skip
"""Functions of `torch.library` that a library may be handed to; they do not keep it."""


def _inside(node: nodes.FunctionDef | nodes.Lambda | nodes.ClassDef) -> Iterator[nodes.Node]:
    """What runs when a nested function is called (its decorators run before)."""
    match node:
        case nodes.FunctionDef():
            yield from every_node(node.body)
        case nodes.Lambda():
            yield from every_node([node.body])
        case nodes.ClassDef():
            yield from every_node(node.body)


def every_node(found: object) -> Iterator[nodes.Node]:
    """All nodes, those in the bodies of nested functions included."""
    todo = [found]
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Node):
            yield one
            todo += [getattr(one, name) for name in one.__dataclass_fields__ if name not in ("start", "end", "code")]
            if isinstance(one, nodes.FunctionDef):
                todo.append(one.body)
        elif isinstance(one, list | tuple):
            todo += one
