"""Which arguments of a call are sizes of a tensor, as the source says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine
    from aoti_lint.interp.models.registry import Call

MAX_STEPS = 6
"""Assignments that are followed back from an argument."""


def size_arguments(m: Machine, call: Call) -> frozenset[int | str]:
    """The arguments, by position or name, that are computed from a size of a tensor that the running function got.

    Sizes of `self.weight` and the like do not change from call to call and do not count.
    """
    found: set[int | str] = set()
    if len(call.arg_nodes) == len(call.args):
        found |= {index for index, node in enumerate(call.arg_nodes) if _is_size(m, node, MAX_STEPS)}
    if isinstance(call.node, nodes.Call):
        found |= {arg.name for arg in call.node.args if arg.name and _is_size(m, arg.value, MAX_STEPS)}
    return frozenset(found)


def _is_size(m: Machine, node: nodes.Expr, steps: int) -> bool:
    if steps == 0:
        return False
    match node:
        case nodes.Sub(base=base):
            return _is_size(m, base, steps)
        case nodes.Attr(base=base, name="shape") | nodes.Call(func=nodes.Attr(base=base, name="size" | "numel")):
            return _is_input(m, base, steps)
        case nodes.Call(func=nodes.Name(id="len"), args=[nodes.Arg(value=nodes.Name() as counted)]):
            return _is_tensor_parameter(m, counted.id)
        case nodes.Bin(left=left, right=right):
            return _is_size(m, left, steps) or _is_size(m, right, steps)
        case nodes.Seq(items=items):
            return any(_is_size(m, item, steps) for item in items)
        case nodes.Name(id=name):
            value = _bound_to(m, name)
            return value is not None and _is_size(m, value, steps - 1)
    return False


def _is_input(m: Machine, node: nodes.Expr, steps: int) -> bool:
    """Whether a tensor is a parameter of the running function, or made of one."""
    if steps == 0:
        return False
    match node:
        case nodes.Name(id=name):
            if name in _parameters(m):
                return True
            value = _bound_to(m, name)
            return value is not None and _is_input(m, value, steps - 1)
        case nodes.Call(func=nodes.Attr(base=base), args=args):
            return _is_input(m, base, steps) or any(_is_input(m, arg.value, steps) for arg in args)
        case nodes.Call(args=args):
            return any(_is_input(m, arg.value, steps) for arg in args)
        case nodes.Sub(base=base) | nodes.Attr(base=base, name="T" | "mT"):
            return _is_input(m, base, steps)
        case nodes.Bin(left=left, right=right):
            return _is_input(m, left, steps) or _is_input(m, right, steps)
    return False


def _parameters(m: Machine) -> set[str]:
    func = m.frame.func
    return set() if func is None else {param.name for param in func.node.params} - {"self", "cls"}


def _is_tensor_parameter(m: Machine, name: str) -> bool:
    """Whether a parameter of the running function is said to be a tensor: `len` of others is a count."""
    func = m.frame.func
    for param in func.node.params if func is not None else ():
        if param.name == name:
            match param.annotation:
                case nodes.Name(id="Tensor") | nodes.Attr(name="Tensor"):
                    return True
    return False


def _bound_to(m: Machine, name: str) -> nodes.Expr | None:
    """What the only assignment to a name in the running function gives it; None if there are none or more."""
    func = m.frame.func
    if func is None or not isinstance(func.node, nodes.FunctionDef):
        return None
    found: list[nodes.Expr] = []
    for statement in _statements(func.node.body):
        targets = statement.targets if isinstance(statement, nodes.Assign) else []
        for target in targets:
            parts = target.items if isinstance(target, nodes.Seq) else [target]
            if any(isinstance(part, nodes.Name) and part.id == name for part in parts):
                assert isinstance(statement, nodes.Assign)
                found.append(statement.value)
    return found[0] if len(found) == 1 else None


def _statements(body: list[nodes.Stmt]) -> list[nodes.Stmt]:
    """The statements of a function, those in branches and loops included."""
    found: list[nodes.Stmt] = []
    for one in body:
        found.append(one)
        match one:
            case nodes.If(body=then, orelse=other) | nodes.For(body=then, orelse=other):
                found += _statements(then) + _statements(other)
            case nodes.With(body=then):
                found += _statements(then)
    return found
