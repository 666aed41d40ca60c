"""The GPUs that a process sees: what `CUDA_VISIBLE_DEVICES` says when CUDA reads it."""

from __future__ import annotations

from aoti_lint.machine.machine import Machine
from aoti_lint.models.process import process
from aoti_lint.values.values import NONE, Const, Value

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The variable that chooses the GPUs which a process sees."""


def seen(m: Machine) -> Value:
    """What the script set `CUDA_VISIBLE_DEVICES` to before CUDA was first used, and so read it; `NONE` if nothing."""
    latched = m.read("torch", VISIBLE)
    if latched is None:
        latched = m.read(process.TABLE, VISIBLE) or NONE
    return latched


def begin(m: Machine) -> Value:
    """CUDA is used, and reads the variable if it has not yet; what it finds, as `seen` has it."""
    found = seen(m)
    if m.read("torch", VISIBLE) is None:
        m.store.write("torch", VISIBLE, found)
    return found


def count(visible: Value) -> int | None:
    """How many GPUs a process sees with this value of the variable; None where that is not known.

    The list ends where an entry names no GPU (CUDA C++ Programming Guide, CUDA Environment Variables).
    """
    if not isinstance(visible, Const) or not isinstance(visible.value, str):
        return None
    names = [name.strip() for name in visible.value.split(",")]
    if not names[0]:
        return 0
    if any(not name.lstrip("-").isdigit() for name in names) or len(set(names)) < len(names):
        return None
    return next((at for at, name in enumerate(names) if name.startswith("-")), len(names))
