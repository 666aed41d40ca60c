"""IR nodes as JSON and back.

A node is a list: the number of its class, then its fields in order. Lists of nodes and of names are lists that begin
with anything but a number, which is how the two are told apart. The few values JSON has no word for are objects.
"""

from __future__ import annotations

import json
from functools import cache
from operator import attrgetter
from sys import intern
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.ir.lower import Bodies
from aoti_lint.ir.stack import with_deep_stack
from aoti_lint.lazily.dataclass import fields

# The order is part of the format.
_CLASSES: list[type[nodes.Node]] = [
    nodes.Module, nodes.Const, nodes.Name, nodes.Attr, nodes.Sub, nodes.Slice, nodes.Arg, nodes.Call, nodes.Bin,
    nodes.Unary, nodes.Bool, nodes.Compare, nodes.IfExp, nodes.Seq, nodes.Star, nodes.DictDisplay, nodes.Format,
    nodes.FormatField, nodes.Param, nodes.Lambda, nodes.Generator, nodes.Comp, nodes.Walrus, nodes.Await, nodes.Yield,
    nodes.Assign, nodes.AugAssign, nodes.AnnAssign, nodes.ExprStmt, nodes.Return, nodes.Raise, nodes.Assert,
    nodes.Delete, nodes.Scope, nodes.Jump, nodes.If, nodes.While, nodes.For, nodes.Handler, nodes.Try, nodes.WithItem,
    nodes.With, nodes.Pattern, nodes.Case, nodes.Match, nodes.FunctionDef, nodes.ClassDef, nodes.Alias, nodes.Import,
    nodes.ImportFrom, nodes.Body, nodes.Later,
]  # fmt: skip
_NUMBERS: dict[type[Any], int] = {cls: number for number, cls in enumerate(_CLASSES)}
_LATER = _CLASSES.index(nodes.Later)
_LONG_INTEGER = 1 << 1024


def dumps(module: nodes.Module) -> str:
    """The module as ASCII JSON."""

    def work() -> str:
        return json.dumps(_encode(module), separators=(",", ":"))

    try:
        return work()
    except RecursionError:
        return with_deep_stack(work)


def loads(text: str | bytes, bodies: Bodies) -> nodes.Module:
    """The module that `dumps` wrote; `bodies` lowers what was not lowered. Raises `ValueError` for anything else."""

    def work() -> Any:
        return _decode(json.loads(text), bodies)

    try:
        try:
            module = work()
        except RecursionError:
            module = with_deep_stack(work)
    except (TypeError, KeyError, IndexError, ValueError, RecursionError) as error:
        raise ValueError(f"not a module of the IR: {error}") from error
    if not isinstance(module, nodes.Module):
        raise ValueError("not a module of the IR")
    return module


@cache
def _fields(cls: type[Any]) -> attrgetter[tuple[Any, ...]]:
    return attrgetter(*(one.name for one in fields(cls) if one.compare))


def _encode(value: Any) -> Any:
    number = _NUMBERS.get(type(value))
    if number is not None:
        encoded = [number]
        for item in _fields(value.__class__)(value):
            if item is None or type(item) in _PLAIN:
                encoded.append(item)
            else:
                encoded.append(_encode(item))
        return encoded
    if type(value) is list:
        return [_encode(item) for item in value]
    if type(value) is bytes:
        return {"bytes": value.hex()}
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if value is ...:
        return {"ellipsis": True}
    if type(value) is int and abs(value) >= _LONG_INTEGER:
        return {"int": hex(value)}
    return value


# Integers are not here: a long one needs another form.
_PLAIN = frozenset({str, bool})


def _decode(value: Any, bodies: Bodies) -> Any:
    if type(value) is list:
        if value and type(value[0]) is int:
            # Few names stand for most of what is kept.
            fields: list[Any] = [
                intern(item) if type(item) is str else item if type(item) in _LEAVES else _decode(item, bodies)
                for item in value
            ]
            if fields[0] == _LATER:
                fields.append(bodies.read)
            return _CLASSES[fields[0]](*fields[1:])
        return [item if type(item) in _LEAVES else _decode(item, bodies) for item in value]
    if type(value) is dict:
        ((kind, inside),) = value.items()
        if kind == "bytes":
            return bytes.fromhex(inside)
        if kind == "complex":
            return complex(*inside)
        if kind == "int":
            return int(inside, 16)
        if kind == "ellipsis":
            return ...
        raise ValueError(f"unknown value {kind!r}")
    return value


_LEAVES = frozenset({int, str, bool, float, type(None)})
