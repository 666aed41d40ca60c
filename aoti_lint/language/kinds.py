"""The kinds of things that models are looked up by."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.classes import modules, protocols
from aoti_lint.machine import tables
from aoti_lint.machine.machine import Machine
from aoti_lint.values.values import (
    Const,
    Device,
    DimValue,
    Loaded,
    LoadedProgram,
    Obj,
    Package,
    PathValue,
    Program,
    ProgramModule,
    Ref,
    Sym,
    Tensor,
    Text,
    Tup,
    Unknown,
    Value,
)


def operated(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value | None:
    """`a op b` by the model of one of them, as Python asks first `a`; None if no model knows it."""
    for one in (a, b):
        model = tables.OPERATORS.get(tag_of(m, one))
        made = None if model is None else model(m, node, op, a, b)
        if made is not None:
            return made
    return None


def tag_of(m: Machine, value: Value) -> str:
    """The kind of thing methods are looked up by."""
    match value:
        case Const(inner):
            return type(inner).__name__
        case Text():
            return "str"
        case PathValue():
            return "Path"
        case Tup():
            return "tuple"
        case Tensor():
            return "Tensor"
        case Device():
            return "Device"
        case Program():
            return "Program"
        case LoadedProgram():
            return "LoadedProgram"
        case ProgramModule():
            return "ProgramModule"
        case Package():
            return "Package"
        case Loaded():
            return "Loaded"
        case DimValue():
            return "Dim"
        case Obj(kind=kind):
            if modules.is_module(m, value):
                return "Module"
            if kind == "instance" and protocols.is_mapping(m, value):
                return "Mapping"
            return value.cls.name if kind == "object" and isinstance(value.cls, Ref) else kind
        case Unknown():
            return "Unknown"
        case Sym():
            return "Sym"
        case _:
            return type(value).__name__
