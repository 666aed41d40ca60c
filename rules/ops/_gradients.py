"""What the functions of `register_autograd` say of themselves: what they are given, unpack and return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TypeAlias

from aoti_lint.rule import nodes

Function: TypeAlias = "nodes.FunctionDef | nodes.Lambda"
SETUP = ("ctx", "inputs", "output")
"""The names under which what keeps things for the backward pass is given them (`torch/_library/autograd.py`)."""
_ARITHMETIC = frozenset({"*", "/", "-", "@", "**"})
_GIVES_ONE = frozenset({
    "where", "zeros_like", "ones_like", "empty_like", "full_like", "zeros", "ones", "mul", "add", "sub", "div", "neg",
    "sum", "mean", "matmul", "mm", "bmm", "exp", "sigmoid", "tanh", "cos", "sin", "sqrt", "rsqrt", "clamp", "pow",
    "cat", "stack", "transpose", "reshape", "permute", "outer", "einsum", "sign", "masked_fill", "index_select",
})  # fmt: skip
"""Functions of torch that give one tensor."""


def returned(function: Function) -> Iterator[tuple[nodes.Node, int]]:
    """What a function returns, with how many gradients that is, wherever it is written out."""
    found: list[tuple[nodes.Node, int | None]]
    if isinstance(function, nodes.Lambda):
        found = [(function.body, _gradients(function.body))]
    else:
        returns = (one for one in parts(function.body) if isinstance(one, nodes.Return))
        found = [(one, 1 if one.value is None else _gradients(one.value)) for one in returns]
    yield from ((node, count) for node, count in found if count is not None)


def unpacked(function: Function, wanted: nodes.Name | nodes.Attr) -> Iterator[tuple[nodes.Node, int]]:
    """Where a name, or an attribute of one, is unpacked as a whole, with how many items it has to have."""
    if isinstance(function, nodes.Lambda):
        return
    for one in parts(function.body):
        if isinstance(one, nodes.Assign) and _is_same(one.value, wanted):
            for target in one.targets:
                if isinstance(target, nodes.Seq) and not any(isinstance(item, nodes.Star) for item in target.items):
                    yield one, len(target.items)


def parameters(function: Function) -> list[str] | None:
    """The names of the parameters, if all can be given by name and none takes what is left."""
    plain = all(one.kind in ("any", "kw") for one in function.params)
    return [one.name for one in function.params] if plain else None


def required(function: Function) -> list[str]:
    """The names of the parameters without a default."""
    return [one.name for one in function.params if one.default is None and one.kind in ("any", "kw")]


def parts(body: object) -> Iterator[nodes.Node]:
    """The nodes of a body in their order, without those of functions and classes in it."""
    todo: list[object] = [body]
    while todo:
        one = todo.pop()
        match one:
            case nodes.FunctionDef() | nodes.ClassDef() | nodes.Lambda():
                continue
            case list() | tuple():
                todo += reversed(one)
            case nodes.Node():
                yield one
                todo += [getattr(one, field.name) for field in reversed(fields(one))]


def _is_same(value: nodes.Expr, wanted: nodes.Name | nodes.Attr) -> bool:
    match value, wanted:
        case nodes.Name(id=id_), nodes.Name():
            return id_ == wanted.id
        case nodes.Attr(base=base, name=name), nodes.Attr():
            return name == wanted.name and isinstance(wanted.base, nodes.Name) and _is_same(base, wanted.base)
    return False


def _gradients(value: nodes.Expr) -> int | None:
    """How many gradients is written here; None where that is not known."""
    if isinstance(value, nodes.Bin):
        # A display can be repeated; what is computed of tensors is one.
        return 1 if value.op in _ARITHMETIC and not any(map(_is_display, (value.left, value.right))) else None
    if isinstance(value, nodes.Call):
        return 1 if _is_of_torch(value.func, _GIVES_ONE) else None
    if not isinstance(value, nodes.Seq) or any(isinstance(item, nodes.Star) for item in value.items):
        return None
    return len(value.items) if value.kind == "tuple" else 1


def _is_of_torch(value: nodes.Expr, names: frozenset[str]) -> bool:
    """Whether it is written as one of these functions of torch."""
    return (
        isinstance(value, nodes.Attr)
        and value.name in names
        and isinstance(value.base, nodes.Name)
        and value.base.id == "torch"
    )


def _is_display(value: nodes.Expr) -> bool:
    return isinstance(value, nodes.Seq) or (
        isinstance(value, nodes.Bin) and any(map(_is_display, (value.left, value.right)))
    )
