"""Which arguments of a call are sizes of a tensor, as the source says it."""

from __future__ import annotations

from enum import IntEnum

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call

MAX_STEPS = 6
"""Assignments that are followed back from an argument."""


class Read(IntEnum):
    """What an argument has of the sizes of a tensor."""

    NOTHING = 0
    INNER = 1
    """A size of another dimension than the first, which most models fix."""
    FIRST = 2
    """A size of the first dimension, as the batch has it, or all sizes."""


def size_arguments(m: Machine, call: Call) -> dict[int | str, bool]:
    """The arguments, by position or name, that are computed from a size of a tensor that the running function got.

    With each whether the first dimension may be part of it. Sizes of `self.weight` and the like do not change from
    call to call and do not count.
    """
    found: dict[int | str, Read] = {}
    if len(call.arg_nodes) == len(call.args):
        found |= {index: _read(m, node, MAX_STEPS) for index, node in enumerate(call.arg_nodes)}
    if isinstance(call.node, nodes.Call):
        found |= {arg.name: _read(m, arg.value, MAX_STEPS) for arg in call.node.args if arg.name}
    return {key: read is Read.FIRST for key, read in found.items() if read is not Read.NOTHING}


def _read(m: Machine, node: nodes.Expr, steps: int) -> Read:
    if steps == 0:
        return Read.NOTHING
    match node:
        case nodes.Sub(base=base, index=index):
            return _item(_read(m, base, steps), index)
        case nodes.Attr(base=base, name="shape"):
            return Read.FIRST if _is_input(m, base, steps) else Read.NOTHING
        case nodes.Call(func=nodes.Attr(base=base, name="size" | "numel"), args=args):
            whole = Read.FIRST if _is_input(m, base, steps) else Read.NOTHING
            return _item(whole, args[0].value) if args else whole
        case nodes.Call(func=nodes.Name(id="len"), args=[nodes.Arg(value=nodes.Name() as counted)]):
            return Read.FIRST if _is_tensor_parameter(m, counted.id) else Read.NOTHING
        case nodes.Bin(left=left, right=right):
            return max(_read(m, left, steps), _read(m, right, steps))
        case nodes.Seq(items=items):
            return max((_read(m, item, steps) for item in items), default=Read.NOTHING)
        case nodes.Name(id=name):
            bound = _bound_to(m, name)
            if bound is None:
                return Read.NOTHING
            value, place = bound
            read = _read(m, value, steps - 1)
            return min(read, Read.INNER) if place else read
    return Read.NOTHING


def _item(whole: Read, index: nodes.Expr) -> Read:
    """One of several sizes: those that are counted from the end, or from another than the first, are inner ones."""
    match index:
        case nodes.Const(value=int(number)) if number != 0:
            return min(whole, Read.INNER)
        case nodes.Unary(op="-"):
            return min(whole, Read.INNER)
        case nodes.Slice(lower=first) if first is not None:
            return _item(whole, first)
    return whole


def _is_input(m: Machine, node: nodes.Expr, steps: int) -> bool:
    """Whether a tensor is a parameter of the running function, or made of one."""
    if steps == 0:
        return False
    match node:
        case nodes.Name(id=name):
            if name in _parameters(m):
                return True
            bound = _bound_to(m, name)
            return bound is not None and _is_input(m, bound[0], steps - 1)
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


def _bound_to(m: Machine, name: str) -> tuple[nodes.Expr, int] | None:
    """What the only assignment to a name in the running function gives it; None if there are none or more.

    With the place of the name among the targets that share it.
    """
    func = m.frame.func
    if func is None or not isinstance(func.node, nodes.FunctionDef):
        return None
    found: list[tuple[nodes.Expr, int]] = []
    for statement in _statements(func.node.body):
        targets = statement.targets if isinstance(statement, nodes.Assign) else []
        for target in targets:
            parts = target.items if isinstance(target, nodes.Seq) else [target]
            for place, part in enumerate(parts):
                if isinstance(part, nodes.Name) and part.id == name:
                    assert isinstance(statement, nodes.Assign)
                    found.append((statement.value, place))
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
