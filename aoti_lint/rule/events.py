"""What happens in the code that is checked: one class for each kind of event."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.values.events import (
    ApiCall, ApiUse, AttributeUse, BackwardThrough, BoolOption, BufferCopy, BufferFold, CHECKS, CallEvent,
    CompileEvent, CompiledCall, CondBranch, CondBranches, CondCall, ConfigWrite, ControlCall, ControlFault, DataUse,
    DeviceUse, DimRefused, DtypeMix, EnvWrite, Event, ExportEvent, Exporting, FileEvent, GpuUse, HostLoad,
    InferenceUse, LayerMade, LoadEvent, MarkLost, Mix, ModeUse, ModuleMove, MoveLost, NativeBlock, NativeLibrary,
    NumberKept, OnnxCall, OnnxExport, OpCall, OpDefinition, OpGradients, OpImpl, OpInference, OpLibrary, OpLibraryEnd,
    OpUse, OpenCall, OpenSize, Operand, Order, OutputUse, PackEvent, PathUse, PlainCall, ProcessStart, ResultRead,
    SaveEvent, ShapesUnread, SizeGuard, SizeMix, StateLost, TensorChange, Tracing, WeightsGiven,
)  # fmt: skip

__all__ = [
    "ApiCall", "ApiUse", "AttributeUse", "BackwardThrough", "BoolOption", "BufferCopy", "BufferFold", "CHECKS",
    "CallEvent", "CompileEvent", "CompiledCall", "CondBranch", "CondBranches", "CondCall", "ConfigWrite",
    "ControlCall", "ControlFault", "DataUse", "DeviceUse", "DimRefused", "DtypeMix", "EnvWrite", "Event",
    "ExportEvent", "Exporting", "FileEvent", "GpuUse", "HostLoad", "InferenceUse", "LayerMade", "LoadEvent",
    "MarkLost", "Mix", "ModeUse", "ModuleMove", "MoveLost", "NativeBlock", "NativeLibrary", "NumberKept", "OnnxCall",
    "OnnxExport", "OpCall", "OpDefinition", "OpGradients", "OpImpl", "OpInference", "OpLibrary", "OpLibraryEnd",
    "OpUse", "OpenCall", "OpenSize", "Operand", "Order", "OutputUse", "PackEvent", "PathUse", "PlainCall",
    "ProcessStart", "ResultRead", "SaveEvent", "ShapesUnread", "SizeGuard", "SizeMix", "StateLost", "TensorChange",
    "Tracing", "WeightsGiven",
]  # fmt: skip
