"""`torch.autocast`: where it is on, and whether a model has anything that it would compute in lower precision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.changes import named
from aoti_lint.machine.machine import Machine
from aoti_lint.values.torch_values import Device
from aoti_lint.values.values import NONE, Const, Obj, Ref, Tup, Value

CELL = ("torch", "autocast")
"""The cell that holds the autocasts around what runs now, the outermost first."""
CAST = "#cast"
"""The slot of a module whose parameters were given another dtype."""
LOWER = {"cpu": "bfloat16"}
"""What autocast computes in where no dtype is given: float16 on other devices (`torch.get_autocast_dtype`, 2.13)."""
CASTABLE = frozenset({
    "Linear", "Bilinear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
    "MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer", "LSTM", "GRU", "RNN",
})  # fmt: skip
"""Layers of `torch.nn` that autocast computes in lower precision."""


@dataclass(frozen=True, slots=True, repr=False)
class Autocast(Value):
    """`torch.autocast(device, dtype, enabled)`: `device` is the text, `dtype` is `NONE` where none is given."""

    span: Span = field(compare=False)
    device: Value
    dtype: Value
    enabled: Value


def around(m: Machine) -> tuple[Autocast, ...]:
    """The autocasts around what runs now, the outermost first."""
    held = m.read(*CELL)
    return tuple(one for one in held.items if isinstance(one, Autocast)) if isinstance(held, Tup) else ()


@named
@contextmanager
def on(m: Machine, autocast: Autocast) -> Iterator[None]:
    """Run under one more."""
    if m.root.trace is not None:
        m.root.trace.casts = True
    before = m.store.read(*CELL) or Tup(())
    m.store.write(*CELL, Tup((*around(m), autocast)))
    try:
        yield
    finally:
        m.store.write(*CELL, before)


def note_cast(m: Machine, module: Value) -> None:
    """The parameters of a module are given another dtype, or may be."""
    if isinstance(module, Obj):
        m.store.write(module.ident, CAST, Const(True))


def active(values: list[Value]) -> bool | None:
    """Whether autocast is on: the device it has to be on for, then device, dtype and switch of each, outermost first.

    None if that is not known.
    """
    place, *rest = values
    for at in range(len(rest) - 3, -1, -3):
        device, dtype, enabled = rest[at : at + 3]
        if not (isinstance(device, Const) and isinstance(place, Device)):
            return None
        if device.value == place.type:
            if isinstance(dtype, Ref) and dtype.name in ("torch.float32", "torch.float"):
                return False
            return bool(enabled.value) if isinstance(enabled, Const) else None
    return False


def parts(place: Value, autocasts: tuple[Value, ...]) -> list[Value]:
    """The values that `active` is asked with."""
    flat = [part for one in autocasts if isinstance(one, Autocast) for part in (one.device, one.dtype, one.enabled)]
    return [place, *flat]


def lower(autocast: Autocast) -> str:
    """The precision that an autocast computes in, in words."""
    if isinstance(autocast.dtype, Ref):
        return autocast.dtype.name.removeprefix("torch.")
    device = autocast.device.value if isinstance(autocast.device, Const) else None
    if autocast.dtype != NONE or not isinstance(device, str):
        return "lower precision"
    return LOWER.get(device, "float16")
