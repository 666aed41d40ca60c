"""Tensors and modules are put on devices."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.events.event import Event
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class DeviceUse(Event):
    """A tensor or module is made on `device`, or moved to it, which may be text that names no device we know."""

    device: Value
    place: Span


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class GpuUse(Event):
    """Something is put on `device` in a process that set `CUDA_VISIBLE_DEVICES` to `visible` before it used CUDA."""

    device: Value
    visible: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class MoveLost(Event):
    """A tensor is moved to `device` (`x.to("cuda")`), and nobody takes what that gives."""

    tensor: Tensor
    device: Value


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ModuleMove(Event):
    """A module that has parameters, or what `ExportedProgram.module()` gave, is moved to `device`, in place."""

    module: Value
    device: Value
