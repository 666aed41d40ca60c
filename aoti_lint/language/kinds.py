"""The kinds of things that models are looked up by."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.classes import modules, protocols
from aoti_lint.machine import tables
from aoti_lint.machine.machine import Machine
from aoti_lint.values.torch_values import DimValue
from aoti_lint.values.values import Const, Obj, PathValue, Ref, Size, Text, Tup, Value


def operated(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """`a op b` by the model of one of them, as Python asks first `a`; None if no model knows it."""
    for one in (a, b):
        model = tables.OPERATORS.get(tag_of(m, one))
        made = None if model is None else model(m, node, op, a, b)
        if made is not None:
            return made
    return None


NAMES: dict[type, str] = {Text: "str", PathValue: "Path", Tup: "tuple", DimValue: "Dim", Size: "Unknown"}
"""Kinds of values that are called otherwise than their classes."""


def tag_of(m: Machine, value: Value) -> str:
    """The kind of thing methods are looked up by."""
    if isinstance(value, Const):
        return type(value.value).__name__
    if not isinstance(value, Obj):
        return NAMES.get(type(value)) or type(value).__name__
    if modules.is_module(m, value):
        return "Module"
    if value.kind == "instance" and protocols.is_mapping(m, value):
        return "Mapping"
    return value.cls.name if value.kind == "object" and isinstance(value.cls, Ref) else value.kind
