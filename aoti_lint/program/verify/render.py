"""Python text that makes the inputs of a call. The child evaluates it, and the user can run it: it is the same."""

from __future__ import annotations

import math

from aoti_lint.program.dtypes import DTYPES
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.verify.cases import Call, Case, Leaf
from aoti_lint.program.verify.space import Space, contiguous, number

FLOATS = frozenset(name for name in DTYPES if name.startswith(("float", "bfloat")))
_NARROW = {"float16", "complex32"}

LARGE = 1e4
"""Large enough to overflow what squares a float16, small enough for sine and cosine to stay exact."""


def leaves(space: Space, case: Case, call: Call) -> tuple[Leaf, ...]:
    """The arguments of one call of a case."""
    made = []
    for index, item in enumerate(space.inputs):
        change = case.change if case.change is not None and case.change.input == index else None
        if item.shape is None:
            value = item.value
            if item.symbol is not None:
                plain = number(item.symbol, call.sizes)
                value = None if plain is None else int(plain)
            if change is not None and change.scalar is not None:
                value = change.scalar
            made.append(Leaf(path=item.path, kind="value", index=index, value=value))
            continue
        if case.values == "example":
            made.append(Leaf(path=item.path, kind="example", index=index))
            continue
        shape, strides = space.shape(item, call.sizes), space.strides(item, call.sizes)
        dtype, layout = item.dtype, case.layout
        if change is not None:
            if change.size is not None:
                dim, size = change.size
                shape, strides = (*shape[:dim], size, *shape[dim + 1 :]), None
            dtype, layout = change.dtype or dtype, change.layout or layout
        made.append(Leaf(
            path=item.path, kind="tensor", index=index, dtype=dtype, shape=shape, strides=strides, layout=layout,
            values=case.values, high=space.high(item, call.sizes), seed=1000 * call.seed + index, device=item.device,
        ))  # fmt: skip
    return tuple(made)


def python(leaf: Leaf) -> str:
    """A leaf as a Python expression over `torch` and `example`, the leaves of the example inputs."""
    if leaf.kind == "example":
        return f"example[{leaf.index}].clone()"
    if leaf.kind == "value":
        if isinstance(leaf.value, float) and not math.isfinite(leaf.value):
            return f'float("{leaf.value}")'
        return repr(leaf.value)
    if leaf.dtype not in DTYPES:
        raise Unreadable(f"{leaf.path}: there is no way to make a tensor of {leaf.dtype}")
    text = _layout(leaf, _numbers(leaf))
    return text if leaf.device == "cpu" else f"({text}).to({leaf.device!r})"


def _numbers(leaf: Leaf) -> str:
    """The values, in contiguous memory."""
    shape, dtype = leaf.shape, f"torch.{leaf.dtype}"
    draw = f"generator=torch.Generator().manual_seed({leaf.seed})"
    if leaf.values == "zeros":
        return f"torch.zeros({shape}, dtype={dtype})"
    if leaf.dtype == "bool":
        return f"torch.randint(0, 2, {shape}, {draw}).bool()"
    if leaf.dtype.startswith("complex"):
        text = f"torch.randn({shape}, dtype=torch.complex64, {draw})"
        return text if leaf.dtype == "complex64" else f"{text}.to({dtype})"
    if leaf.dtype not in FLOATS:
        if leaf.values == "large":
            return f"torch.full({shape}, {_most(leaf) - 1}, dtype={dtype})"
        return f"torch.randint(0, {_most(leaf)}, {shape}, {draw}).to({dtype})"
    text = f"torch.randn({shape}, {draw})"
    if leaf.values == "large":
        text += f" * {LARGE / 10 if leaf.dtype in _NARROW else LARGE:g}"
    count = math.prod(shape)
    if leaf.values in ("nan", "-inf") and count:
        special = f'torch.arange(0, {count}, 3), float("{leaf.values}")'
        text += f".flatten().index_fill(0, {special}).reshape({shape})"
    return text if leaf.dtype == "float32" else f"({text}).to({dtype})"


def _most(leaf: Leaf) -> int:
    return min(leaf.high, 127 if leaf.dtype in ("int8", "uint8") else 1 << 15 if leaf.dtype.endswith("16") else 1 << 30)


def _layout(leaf: Leaf, text: str) -> str:
    """The same values in memory of another layout."""
    rank, shape = len(leaf.shape), leaf.shape
    match leaf.layout:
        case "transposed" if rank > 1:
            return f"({text}).transpose(-1, -2).contiguous().transpose(-1, -2)"
        case "sliced" if rank and shape[-1]:
            return f"({text}).repeat_interleave(2, -1)[..., ::2]"
        case "expanded" if rank and shape[0]:
            return f"({text})[:1].expand({shape})"
        case "offset" if rank and shape[0] and leaf.strides is None:
            inner = f"torch.cat([(value := {text})[:1], value])[1:]"
            return inner
        case _:
            if leaf.strides is None:
                return text
            return f"torch.empty_strided({shape}, {leaf.strides}, dtype=torch.{leaf.dtype}).copy_({text})"


def own_layout(leaf: Leaf) -> bool:
    """Whether a leaf of this layout lies otherwise in memory than the contract has it."""
    strides = leaf.strides or contiguous(leaf.shape)
    match leaf.layout:
        case "transposed":
            return len(leaf.shape) > 1 and min(leaf.shape[-2:]) > 1 and strides == contiguous(leaf.shape)
        case "sliced":
            return bool(leaf.shape) and math.prod(leaf.shape) > 1 and leaf.shape[-1] > 1
        case "expanded":
            return bool(leaf.shape) and leaf.shape[0] > 1 and math.prod(leaf.shape) > 0
        case _:
            return False
