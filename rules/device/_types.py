"""Comparing device types."""

from __future__ import annotations

from aoti_lint.rule.events import ModuleMove
from aoti_lint.rule.torch import device_named
from aoti_lint.rule.values import Const, Device, Obj, Program, ProgramModule, Value

TAKEN = "it is taken that the file which is loaded is the one written here under that name"
"""The doubt about a load."""


def known_device(value: Value) -> Device | None:
    """The device a value is or, as an option's default, names; None if it is not known."""
    if isinstance(value, Const) and isinstance(value.value, str):
        return device_named(value.value)
    return value if isinstance(value, Device) else None


def differ(values: list[Value]) -> bool | None:
    """Whether two devices are of different types; None if either is not known."""
    first, second = (known_device(v) for v in values)
    if first is not None and second is not None:
        return first.type != second.type
    return None if values[0] != values[1] else False


def belongs(move: ModuleMove, program: Program) -> bool:
    """Whether what is moved has the parameters of a program: the model it was made of, or its `module()`."""
    match move.module:
        case ProgramModule(program=Program(ident=ident)):
            return ident == program.ident
        case Obj(ident=ident):
            return isinstance(program.model, Obj) and program.model.ident == ident
        case _:
            return False
