"""Tensors in the words of events."""

from __future__ import annotations

import sys
from typing import Any

MOST = 64
"""Tensors of one call that are described."""


def describe(values: Any) -> list[dict[str, Any]]:
    """Shape, dtype, device and strides of every tensor in nested arguments; other leaves by their kind and value."""
    return [_leaf(leaf) for leaf in _leaves(values)]


def judge(values: Any) -> list[dict[str, Any]]:
    """The same with the counts of NaN and Inf, or the bounds of whole numbers. It waits for the device, whose errors
    then stand in `unread`."""
    return [{**_leaf(leaf), **_counts(leaf)} for leaf in _leaves(values)]


def bounds(value: Any) -> dict[str, Any]:
    """The lowest and the highest of whole numbers in a tensor, which may be indices."""
    if not _is_tensor(value) or value.is_floating_point() or value.is_complex() or not value.numel():
        return {}
    try:
        return {"low": int(value.min()), "high": int(value.max())}
    except Exception as error:
        return {"unread": _first_line(error)}


def _leaves(values: Any) -> list[Any]:
    found: list[Any] = []
    todo = [values]
    while todo and len(found) < MOST:
        value = todo.pop()
        if isinstance(value, dict):
            todo += reversed(list(value.values()))
        elif isinstance(value, (list, tuple)):
            todo += reversed(value)
        else:
            found.append(value)
    return found


def _is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def _leaf(value: Any) -> dict[str, Any]:
    if not _is_tensor(value):
        text = repr(value) if isinstance(value, (int, float, bool, str, type(None))) else type(value).__name__
        return {"kind": type(value).__name__, "value": text[:200]}
    made: dict[str, Any] = {"kind": "tensor", "shape": [_number(size) for size in value.shape]}
    made["dtype"], made["device"] = str(value.dtype).replace("torch.", "", 1), str(value.device)
    try:
        made["strides"] = [_number(size) for size in value.stride()]
    except Exception:
        # Sparse and other layouts have none.
        made["strides"] = None
    return made


def _number(size: Any) -> Any:
    return size if type(size) is int else str(size)


def _counts(value: Any) -> dict[str, Any]:
    torch: Any = sys.modules.get("torch")
    if not _is_tensor(value):
        return {}
    try:
        if value.is_cuda and torch.cuda.is_current_stream_capturing():
            return {"unread": "a CUDA graph is being captured"}
        if not (value.is_floating_point() or value.is_complex()):
            return bounds(value)
        with torch.no_grad():
            plain = value.detach()
            return {"nan": int(torch.isnan(plain).sum()), "inf": int(torch.isinf(plain).sum())}
    except Exception as error:
        return {"unread": _first_line(error)}


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"[:300]
