"""Concrete values as plain data, for the recorder.

Everything here takes what a running script handed to torch and gives something `json` can write. Tensors keep device,
shape and dtype; numbers and strings their value; anything else only the name of its type.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def describe(value: Any) -> Plain:
    """A value as `{"is": kind, …}`; containers keep their structure."""
    if value is None:
        return {"is": "none"}
    if isinstance(value, (bool, int, float, str)):
        return {"is": type(value).__name__, "value": value}
    if isinstance(value, os.PathLike):
        return {"is": "path", "value": os.fspath(value)}
    if hasattr(value, "device") and hasattr(value, "dtype") and hasattr(value, "shape"):
        return describe_tensor(value)
    if isinstance(value, (list, tuple)):
        return {"is": "list" if isinstance(value, list) else "tuple", "items": [describe(item) for item in value]}
    if isinstance(value, Mapping):
        return {
            "is": "dict",
            "keys": [str(key) for key in value],
            "values": [describe(item) for item in value.values()],
        }
    return {"is": "other", "type": type(value).__name__}


def describe_tensor(tensor: Any) -> Plain:
    """Device type and index, sizes and dtype of a tensor."""
    return {
        "is": "tensor",
        "device": tensor.device.type,
        "index": tensor.device.index,
        "shape": [int(size) for size in tensor.shape],
        "dtype": str(tensor.dtype).removeprefix("torch."),
    }


def describe_shapes(spec: Any) -> Plain:
    """A `dynamic_shapes` argument.

    A named Dim becomes `{"is": "dim", "name", "min", "max"}`, a hint `{"is": "hint", "name"}`, a derived Dim
    `{"is": "derived", "text"}`; integers, None and containers as in `describe`; keys of a dict stay as text.
    """
    if isinstance(spec, (list, tuple)):
        return {"is": "list" if isinstance(spec, list) else "tuple", "items": [describe_shapes(item) for item in spec]}
    if isinstance(spec, Mapping):
        values = [describe_shapes(item) for item in spec.values()]
        return {"is": "dict", "keys": [str(key) for key in spec], "values": values}
    kind = type(spec).__name__
    if kind == "Dim":
        return {"is": "dim", "name": spec.__name__, "min": spec.min, "max": _bound(spec.max)}
    if kind == "_DerivedDim":
        return {"is": "derived", "text": str(spec)}
    if kind == "_DimHint":
        return {"is": "hint", "name": spec.type.name}
    return describe(spec)


def describe_module(module: Any) -> Plain:
    """What matters of a model that is exported: its class, its mode and where its parameters and buffers are."""
    held = [*module.parameters(), *module.buffers()] if hasattr(module, "parameters") else []
    devices = sorted({tensor.device.type for tensor in held})
    return {
        "is": "module",
        "class": type(getattr(module, "_orig_mod", module)).__name__,  # what torch.compile gives stands for it
        "devices": list[Plain](devices),
        "training": bool(getattr(module, "training", False)),
    }


def describe_result(program: Any) -> Plain:
    """The sizes of the user inputs of an exported program, None where the size stayed symbolic."""
    wanted = set(program.graph_signature.user_inputs)
    found: list[Plain] = []
    for node in program.graph.nodes:
        if node.op == "placeholder" and node.name in wanted:
            value = node.meta.get("val")
            sizes = getattr(value, "shape", None)
            found.append(None if sizes is None else [size if type(size) is int else None for size in sizes])
    return found


def _bound(value: Any) -> int | None:
    """The upper bound of a Dim; None when it has none (torch writes a huge number or `int_oo`)."""
    return value if isinstance(value, int) and value < 2**60 else None
