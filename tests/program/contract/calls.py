"""Calls as JSON: a tensor is a string such as `float32[4, 8]`, with strides and device where they are unusual.

    {"args": ["float32[4, 8]", {"dict": [["ids", "int64[3]"]]}, {"value": 5}], "kwargs": {"flag": {"value": true}}}

They are made real with torch for recording, and made to look like tensors without it for the replay.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import re
from collections.abc import Callable
from typing import Any

_TENSOR = re.compile(r"(\w+)\[([\d, ]*)\](?:\(([\d, ]*)\))?(?:@(\w+))?")


@dataclasses.dataclass(frozen=True)
class Looks:
    """What can be seen of a tensor."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    device: str = "cpu"
    layout: str = "torch.strided"

    def stride(self) -> tuple[int, ...]:
        return self.strides


def parse(text: str) -> Looks:
    """The tensor that a string describes."""
    match = _TENSOR.fullmatch(text)
    assert match is not None, text
    shape = _numbers(match[2])
    strides = contiguous(shape) if match[3] is None else _numbers(match[3])
    return Looks(match[1], shape, strides, match[4] or "cpu")


def show(tensor: Looks) -> str:
    """The string that describes a tensor."""
    text = f"{tensor.dtype}[{', '.join(map(str, tensor.shape))}]"
    if tensor.strides != contiguous(tensor.shape):
        text += f"({', '.join(map(str, tensor.strides))})"
    return text if tensor.device == "cpu" else f"{text}@{tensor.device}"


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor, as torch counts them: a size of 0 counts as 1."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * max(size, 1))
    return tuple(strides[: len(shape)])


def arguments(call: Any, tensor: Callable[[Looks], Any], types: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call; `tensor` makes a tensor of its looks, `types` are those of objects with fields."""
    args = [_value(item, tensor, types) for item in call["args"]]
    return args, {key: _value(item, tensor, types) for key, item in call.get("kwargs", {}).items()}


def _value(item: Any, tensor: Callable[[Looks], Any], types: dict[str, Any]) -> Any:
    if isinstance(item, str):
        return tensor(parse(item))
    ((kind, inside),) = item.items()
    match kind:
        case "value":
            return inside
        case "list" | "tuple":
            return (list if kind == "list" else tuple)(_value(part, tensor, types) for part in inside)
        case "dict" | "ordered":
            pairs = [(key, _value(part, tensor, types)) for key, part in inside]
            return dict(pairs) if kind == "dict" else collections.OrderedDict(pairs)
        case _:
            return types[kind](**{key: _value(part, tensor, types) for key, part in inside})


def leaves(item: Any) -> list[str]:
    """The tensors of an argument, in the order torch flattens them."""
    if isinstance(item, str):
        return [item]
    ((kind, inside),) = item.items()
    if kind == "value":
        return []
    if kind in ("list", "tuple"):
        parts = inside
    else:
        # An object has its fields in one order however it was made; ours have them by name.
        parts = [part for _, part in (inside if kind in ("dict", "ordered") else sorted(inside))]
    return [leaf for part in parts for leaf in leaves(part)]


def flat(call: Any, keywords: list[str]) -> list[Looks]:
    """The tensors of a call in the order a package takes them; keywords come in that of the model."""
    kwargs = call.get("kwargs", {})
    items = [*call["args"], *(kwargs[key] for key in keywords if key in kwargs)]
    items += [item for key, item in kwargs.items() if key not in keywords]
    return [parse(leaf) for item in items for leaf in leaves(item)]


def key(call: Any) -> str:
    """The call as one line."""
    return json.dumps(call, separators=(",", ":"))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part.strip())
