"""What a program or a package gave when it was called, and how the script takes that apart."""

from __future__ import annotations

from typing import Literal

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.packages import OutputUse
from aoti_lint.values.values import Const, Tup, Unknown, Value

GIVEN = "given by a program"
"""Owner of the cells that hold, by the key of a result, what was called, and under how many conditions."""


def note(m: Machine, made: Unknown, called: Value) -> None:
    """`made` is what a call of `called` gives."""
    m.store.write(GIVEN, made.key, Tup((called, Const(len(m.root.path)))))


def taken_apart(
    m: Machine, node: nodes.Node, value: Value, used: Literal["unpacked", "item", "attribute"], key: Value
) -> None:
    """Tell the rules; but not where something was asked since the call, which may have been what it is."""
    value = m.see(value)
    held = m.read(GIVEN, value.key) if isinstance(value, Unknown) else None
    if isinstance(held, Tup) and held.items[1] == Const(len(m.root.path)) and not m.root.muted:
        m.emit(OutputUse, node, of=held.items[0], used=used, key=m.see(key))
