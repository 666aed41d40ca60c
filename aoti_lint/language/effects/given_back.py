"""What a program or a package gave when it was called, and how the script takes that apart."""

from __future__ import annotations

from typing import Literal

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.packages import OutputUse
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Pairs, Tup, Unknown, Value

GIVEN = "given by a program"
"""Owner of the cells that hold, by the key of a result, what was called, and under how many conditions."""

INSIDE = "inside of what a program gave"
"""Owner of the cells that hold, by the key of a result that has parts, a frozen value with these."""
PLACE = "place of what a program gave"
"""Owner of those that hold the device it is on."""


def result(m: Machine, key: str, reason: str, device: Value | None, gives: Value | None) -> Tensor | Unknown:
    """What a call gives that is not followed itself: a tensor, or something unknown whose parts are known.

    `gives` is a frozen value that is like it, None where nothing is known; that it is unknown is nothing to explain.
    """
    if isinstance(gives, Tensor) and gives.shape is not None:
        place = gives.device if device is None else device
        return replace(gives, key=key, device=place, role="", span=None, strides=None)
    made = Unknown(key, reason)
    if device is not None:
        m.store.write("moved", made.key, device)
    if isinstance(gives, Tup | Pairs):
        m.store.write(INSIDE, made.key, gives)
        if device is not None:
            m.store.write(PLACE, made.key, device)
    return made


def part(m: Machine, value: Value, key: Value, attribute: bool = False) -> Value | None:
    """An item or attribute of a result; None where it is not known."""
    if not isinstance(value, Unknown) or not isinstance(key, Const):
        return None
    held, device = m.read(INSIDE, value.key), m.read(PLACE, value.key)
    found: Value | None = None
    match held:
        case Tup(items, fields) if attribute:
            found = dict(zip(fields, items, strict=False)).get(str(key.value))
        case Tup(items) if isinstance(key.value, int) and -len(items) <= key.value < len(items):
            found = items[key.value]
        case Pairs(pairs) if not attribute:
            found = next((one for name, one in pairs if name == key), None)
    if found is None or isinstance(found, Const):
        return found
    return result(m, f"{value.key}[{key.value!r}]", f"a part of {value.reason}", device, found)


def note(m: Machine, made: Tensor | Unknown, called: Value) -> None:
    """`made` is what a call of `called` gives."""
    m.store.write(GIVEN, made.key, Tup((called, Const(len(m.root.path)))))


def taken_apart(
    m: Machine, node: nodes.Node, value: Value, used: Literal["unpacked", "item", "attribute"], key: Value
) -> None:
    """Tell the rules; but not where something was asked since the call, which may have been what it is."""
    value = m.see(value)
    held = m.read(GIVEN, value.key) if isinstance(value, Tensor | Unknown) else None
    if isinstance(held, Tup) and held.items[1] == Const(len(m.root.path)) and not m.root.muted:
        m.emit(OutputUse, node, of=held.items[0], used=used, key=m.see(key))
