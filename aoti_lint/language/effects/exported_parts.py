"""The parts of the module that `ExportedProgram.module()` gives: they hold weights, and have nothing else of their own.

A part is what access gives where nobody knows better: a `Bound` of the module, or of another part.
"""

from __future__ import annotations

from typing import Literal

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import GRAPH, Machine
from aoti_lint.values.events.packages import AttributeUse
from aoti_lint.values.torch_values import ProgramModule
from aoti_lint.values.values import Bound, Value


def part_of(value: Value, name: str = "") -> tuple[ProgramModule, str] | None:
    """The exported module that `value`, or its attribute `name`, is a part of, and the path to it from there."""
    names = [name] if name else []
    while isinstance(value, Bound) and value.func is None:
        names.append(value.name)
        value = value.receiver
    return (value, ".".join(reversed(names))) if isinstance(value, ProgramModule) and names else None


def tell(m: Machine, node: nodes.Node, value: Value, name: str, used: Literal["read", "called", "item"]) -> None:
    """`value.name` is used, which may be a part of an exported module, or an attribute of one."""
    found = part_of(value, name)
    if found is not None and m.read(found[0].ident, GRAPH) is None:
        m.emit(AttributeUse, node, of=found[0], name=found[1], used=used)
