"""What happens in the code that is checked: one class for each kind of event."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.values.events.api import ApiCall, ApiUse
from aoti_lint.values.events.compiled import (
    CompiledCall,
    CondCall,
    ControlCall,
    FakeMet,
    MarkLost,
    PlainCall,
    ResultRead,
)
from aoti_lint.values.events.devices import DeviceUse, GpuUse, ModuleMove, MoveLost
from aoti_lint.values.events.event import Event, Order
from aoti_lint.values.events.exports import (
    DimRefused,
    ExportEvent,
    Exporting,
    OnnxAxes,
    OnnxAxesUnread,
    OnnxExport,
    ScriptTrace,
    ShapesUnread,
    Tracing,
)
from aoti_lint.values.events.forwards import (
    BufferCopy, BufferFold, CondBranch, CondBranches, ControlFault, DataUse, DtypeMix, InferenceUse, LayerMade, Mix,
    ModeUse, NumberKept, OpenCall, OpenSize, Operand, Raised, SizeGuard, SizeMix, StateLost, TensorChange,
)  # fmt: skip
from aoti_lint.values.events.ops import (
    BackwardThrough, NativeBlock, NativeLibrary, OpCall, OpDefinition, OpGradients, OpImpl, OpInference, OpLibrary,
    OpLibraryEnd, OpUse,
)  # fmt: skip
from aoti_lint.values.events.packages import (
    AttributeUse, CHECKS, CallEvent, Calling, CompileEvent, ExtraEvent, FileEvent, HostCall, HostLoad, LoadEvent,
    OnnxCall, OutputUse, PackEvent, PathUse, SaveEvent, UnflattenedCall, WeightsGiven,
)  # fmt: skip
from aoti_lint.values.events.process import BoolOption, ConfigWrite, EnvWrite, FileWrite, ProcessStart, ShellWrite

__all__ = [
    "ApiCall", "ApiUse", "AttributeUse", "BackwardThrough", "BoolOption", "BufferCopy", "BufferFold", "CHECKS",
    "CallEvent", "Calling", "CompileEvent", "CompiledCall", "CondBranch", "CondBranches", "CondCall", "ConfigWrite",
    "ControlCall", "ControlFault", "DataUse", "DeviceUse", "DimRefused", "DtypeMix", "EnvWrite", "Event", "FileWrite",
    "ExportEvent", "Exporting", "ExtraEvent", "FakeMet", "FileEvent", "GpuUse", "HostCall", "HostLoad", "InferenceUse",
    "LayerMade", "LoadEvent", "MarkLost", "Mix", "ModeUse", "ModuleMove", "MoveLost", "NativeBlock", "NativeLibrary",
    "NumberKept", "OnnxAxes", "OnnxAxesUnread", "OnnxCall", "OnnxExport", "OpCall", "OpDefinition", "OpGradients",
    "OpImpl", "OpInference", "OpLibrary", "OpLibraryEnd", "OpUse", "OpenCall", "OpenSize", "Operand", "Order",
    "OutputUse", "PackEvent", "PathUse", "PlainCall", "ProcessStart", "Raised", "ResultRead", "SaveEvent",
    "ScriptTrace", "ShapesUnread", "ShellWrite", "SizeGuard", "SizeMix", "StateLost", "TensorChange", "Tracing",
    "UnflattenedCall", "WeightsGiven",
]  # fmt: skip
