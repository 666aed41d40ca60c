"""How the elements of a tensor lie in memory: the strides of its dimensions, in elements, as far as they are known.

`None` stands for a stride that is not known, and for all of them. What is not written down here has no known strides.
Run on torch 2.13 on the CPU; the views are what `torch.Tensor` documents.
"""

from __future__ import annotations

from typing import TypeAlias

from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import Shape, number
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Ref, SliceValue, Value

Strides: TypeAlias = "tuple[int | None, ...]"
LAST = {"torch.channels_last": (0, 2, 3, 1), "torch.channels_last_3d": (0, 2, 3, 4, 1)}
"""Memory formats, with the dimensions from the widest stride to the narrowest."""


def dense(shape: Shape | None, order: tuple[int, ...] | None = None) -> Strides | None:
    """The strides of a tensor without gaps; its dimensions lie in `order`, the widest first, or one after the other."""
    if shape is None:
        return None
    found: list[int | None] = [None] * len(shape)
    step: int | None = 1
    for dim in reversed(range(len(shape)) if order is None else order):
        found[dim] = step
        length = number(shape[dim])
        step = None if step is None or length is None else step * max(length, 1)
    return tuple(found)


def in_rows(x: Tensor) -> bool:
    """Whether a tensor is surely contiguous."""
    return x.strides is not None and x.shape is not None and x.strides == dense(x.shape)


def is_contiguous(x: Tensor, order: tuple[int, ...] | None = None) -> bool | None:
    """Whether a tensor lies as `dense` says, as `Tensor.is_contiguous` counts it; None where that is not known.

    How far it is to the next index of a dimension does not matter where there is one.
    """
    if x.shape is None or x.strides is None:
        return None
    if order is not None and len(order) != len(x.shape):
        return False
    wanted, sizes = dense(x.shape, order), [number(size) for size in x.shape]
    if x.strides == wanted or (order is None and 0 in sizes):
        return True
    pairs = [(a, b) for a, b, size in zip(x.strides, wanted or (), sizes, strict=True) if size != 1]
    unknown = None in sizes or 0 in sizes or any(None in pair for pair in pairs)
    return None if unknown else all(a == b for a, b in pairs)


def lies_in_rows(m: Machine, x: Tensor) -> bool:
    """The same, with what is known of it where a forward is traced."""
    return in_rows(x) or (m.root.watch is not None and m.root.watch.lies_in_rows(x))


def is_inner(m: Machine, x: Tensor, dim: int) -> bool:
    """Whether a tensor is surely contiguous, and is no more where a part of this dimension is taken."""
    return lies_in_rows(m, x) and any(size != Const(1) for size in (x.shape or ())[:dim])


def regrouped(x: Tensor, shape: Shape | None) -> Strides | None:
    """The strides after `view`, `reshape` and the like."""
    return dense(shape) if in_rows(x) else None


def moved(x: Tensor, order: tuple[int, ...]) -> Strides | None:
    """The strides after the dimensions were put in another order."""
    return None if x.strides is None else tuple(x.strides[d] for d in order)


def without(x: Tensor, dim: int) -> Strides | None:
    """The strides after one index of a dimension was taken."""
    return None if x.strides is None else (*x.strides[:dim], *x.strides[dim + 1 :])


def expanded(x: Tensor, shape: Shape) -> Strides | None:
    """The strides of a tensor that was expanded to `shape`: what is repeated does not move on."""
    if x.strides is None or x.shape is None or len(shape) < len(x.shape):
        return None
    new = len(shape) - len(x.shape)
    kept = [
        stride if before == after else 0 if before == Const(1) else None
        for stride, before, after in zip(x.strides, x.shape, shape[new:], strict=True)
    ]
    return (*((0,) * new), *kept)


def indexed(m: Machine, x: Tensor, keys: list[Value]) -> Strides | None:
    """The strides of `x[keys]` where all keys are whole numbers, slices, `None` and one `...`."""
    if x.strides is None or x.shape is None:
        return None
    used = sum(key not in (NONE, Const(...)) for key in keys)
    if Const(...) not in keys:
        keys = [*keys, Const(...)]
    left, found = list(x.strides), []
    for key in keys:
        if key == Const(...):
            rest = len(x.strides) - used
            found += left[:rest]
            del left[:rest]
        elif key == NONE:
            found.append(None)
        elif isinstance(key, SliceValue):
            step = m.see(key.step)
            by = 1 if step == NONE else number(step)
            stride = left.pop(0)
            found.append(None if stride is None or by is None else stride * by)
        elif isinstance(key, Const) and type(key.value) is int:
            del left[0]
        else:
            return None
    return tuple(found)


def copied(m: Machine, call: Call, x: Tensor, at: int | None = None) -> Strides | None:
    """The strides after `contiguous`, `clone`, `to` and casts: those that `memory_format` asks for, or as they were.

    `at` is the position of `memory_format`. A tensor with gaps gets others where it is copied: then nothing is known.
    """
    asked = m.see(call.arg(at, "memory_format") or NONE)
    if asked == Ref("torch.contiguous_format"):
        return dense(x.shape)
    if isinstance(asked, Ref) and x.shape is not None and len(LAST.get(asked.name, ())) == len(x.shape):
        return dense(x.shape, LAST[asked.name])
    plain = asked in (NONE, Ref("torch.preserve_format")) and not call.open
    return kept(x) if plain else None


def kept(x: Tensor) -> Strides | None:
    """The strides of a new tensor that lies as `x` does: its own, unless there are gaps in it."""
    return x.strides if _has_no_gaps(x) else None


def channels_last(shape: Shape | None) -> Strides | None:
    """The strides of a tensor of these sizes with the channels last.

    None where it has no channels, or a size that is not known or 1: of those both ways may be the same.
    """
    order = next((one for one in LAST.values() if shape is not None and len(one) == len(shape)), None)
    sizes = [number(size) or 0 for size in (shape or ())[1:]]
    return None if order is None or min(sizes) < 2 else dense(shape, order)


def channels_kept(x: Tensor, shape: Shape | None) -> Strides | None:
    """The strides of what a norm or a pooling gives that keeps the channels last, or makes rows of rows.

    What lies in another way is laid out as each device likes it.
    """
    if in_rows(x):
        return dense(shape)
    return None if x.strides is None or x.strides != channels_last(x.shape) else channels_last(shape)


def convolved(x: Tensor, weight: Tensor, shape: Shape | None) -> Strides | None:
    """The strides of what a convolution gives: the channels last if they are in the input or the weight."""
    if in_rows(x) and in_rows(weight):
        return dense(shape)
    is_last = any(one.strides is not None and one.strides == channels_last(one.shape) for one in (x, weight))
    return channels_last(shape) if is_last else None


def _large(x: Tensor) -> list[int]:
    """The dimensions whose size is not surely 1: the stride of another one means nothing."""
    return [d for d, size in enumerate(x.shape or ()) if size != Const(1)]


def _has_no_gaps(x: Tensor) -> bool:
    if x.strides is None or x.shape is None:
        return False
    strides = {d: x.strides[d] for d in _large(x)}
    if None in strides.values():
        return in_rows(x)
    order = sorted(strides, key=lambda d: -(strides[d] or 0))
    return tuple(strides[d] for d in order) == dense(tuple(x.shape[d] for d in order))


def elementwise(values: list[Value], shape: Shape | None) -> Strides | None:
    """The strides of what an operation element by element gives: those of the operands where all lie alike.

    An operand that has one dimension to speak of, such as the mean of each channel, lies as it is asked to.
    """
    tensors = [v for v in values if isinstance(v, Tensor)]
    if tensors and all(map(in_rows, tensors)):
        return dense(shape)
    if any(t.shape is None for t in tensors):
        return None
    deciding = [t for t in tensors if len(_large(t)) > 1]
    first = next(iter(deciding), None)
    if first is None or first.shape != shape or any((t.shape, t.strides) != (shape, first.strides) for t in deciding):
        return None
    return kept(first)
