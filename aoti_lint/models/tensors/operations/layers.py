"""Functions of `torch.nn.functional` that change sizes: convolution, pooling, embedding, attention, losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from aoti_lint.language.data import containers
from aoti_lint.language.effects import exported_state
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import FUNCTIONS, function
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.operations.arithmetic import agreed_shape, tensor_list, whole
from aoti_lint.models.tensors.sizes import (
    Shape,
    broadcast,
    calculate,
    dim_of,
    is_sequence,
    number,
    over,
    plus,
    put,
    some,
    times,
)
from aoti_lint.models.tensors.tensor_base import LONG, common_kept, derived, joined, keeps_float, op, operand, reshaped
from aoti_lint.models.torch import mixing
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Size, Value


def per_dim(m: Machine, value: Value | None, count: int, default: int) -> list[int] | None:
    """A setting such as `stride`: one number for all dimensions, or one for each."""
    value = Const(default) if value is None else m.see(value)
    one = number(value)
    if one is not None:
        return [one] * count
    items = containers.items_of(m, value) if is_sequence(value) else None
    found = [number(m.see(i)) for i in items or ()]
    if len(found) == 1:
        found = found * count
    return [n for n in found if n is not None] if len(found) == count and None not in found else None


SizeRule: TypeAlias = "Callable[[int, Value], Value]"
"""What becomes of the size `before` of dimension `i` of those that are convolved, pooled or resized."""


def spatial(m: Machine, shape: Shape, count: int, rule: SizeRule | None) -> list[Value]:
    """The last `count` sizes after `rule` on each, where they are known."""
    made: list[Value] = []
    for i, before in enumerate(map(m.see, shape[-count:])):
        known = rule is not None and (number(before) is not None or isinstance(before, Size))
        made.append(rule(i, before) if rule is not None and known else some(m, "a spatial size"))
        if m.root.watch is not None:
            m.root.watch.window(m, made[-1])
    return made


def stepped(m: Machine, before: Value, add: int, step: int) -> Value:
    """`(before + add) // step + 1`: where a window that moves by `step` can stand."""
    mixing.reach(m, before, -add)
    if step == 1:
        return plus(m, before, Const(add + 1))
    return plus(m, calculate(m, "//", plus(m, before, Const(add)), Const(step), lambda a, b: a // b), Const(1))


# ---------------------------------------------------------------- convolution


def _convolution(count: int, transposed: bool) -> None:
    @op(f"conv{'_transpose' if transposed else ''}{count}d", "tf")
    def model(m: Machine, call: Call, x: Tensor) -> Value:
        def apply(values: list[Value]) -> Value:
            weight = values[1].shape if isinstance(values[1], Tensor) else None
            known = x.shape is not None and len(x.shape) in (count + 1, count + 2)
            fits = weight is None or len(weight) == count + 2
            if x.shape is None or not known or not fits:
                return joined(m, values, None, None, together=True, kind="convolution")
            channels = _channels(m, call, weight, transposed)
            _taken(m, call, x.shape[-count - 1], weight, transposed)
            rule = _transposed_size if transposed else _convolved_size
            sizes = spatial(m, x.shape, count, rule(m, call, weight, count))
            shape = (*x.shape[: -count - 1], channels, *sizes)
            made = joined(m, values, shape, None, together=True, kind="convolution")
            if not isinstance(made, Tensor) or not isinstance(values[1], Tensor):
                return made
            return replace(made, strides=memory.convolved(x, values[1], shape))

        return over(m, [x, operand(m, call, 0, "weight")], apply)


def _channels(m: Machine, call: Call, weight: Shape | None, transposed: bool) -> Value:
    if weight is None:
        return some(m, "the number of channels")
    return times(m, weight[1], m.see(call.arg(5, "groups") or Const(1))) if transposed else weight[0]


def _taken(m: Machine, call: Call, given: Value, weight: Shape | None, transposed: bool) -> None:
    """The channels of the input have to be those of the weight."""
    if weight is not None:
        groups = m.see(call.arg(5, "groups") or Const(1))
        mixing.fit(m, m.see(given), m.see(weight[0]) if transposed else times(m, m.see(weight[1]), groups))


def _kernel(m: Machine, weight: Shape | None) -> list[int] | None:
    found = [number(m.see(s)) for s in weight[2:]] if weight is not None else [None]
    return None if None in found else [n for n in found if n is not None]


def _convolved_size(m: Machine, call: Call, weight: Shape | None, count: int) -> SizeRule | None:
    kernel, stride = _kernel(m, weight), per_dim(m, call.arg(2, "stride"), count, 1)
    dilation = per_dim(m, call.arg(4, "dilation"), count, 1)
    given = m.see(call.arg(3, "padding") or Const(0))
    if given == Const("same"):
        return lambda i, before: before
    padding = [0] * count if given == Const("valid") else per_dim(m, given, count, 0)
    if kernel is None or not stride or not dilation or padding is None or 0 in stride:
        return None
    return lambda i, before: stepped(m, before, 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1, stride[i])


def _transposed_size(m: Machine, call: Call, weight: Shape | None, count: int) -> SizeRule | None:
    kernel, stride = _kernel(m, weight), per_dim(m, call.arg(2, "stride"), count, 1)
    padding, extra = per_dim(m, call.arg(3, "padding"), count, 0), per_dim(m, call.arg(4, "output_padding"), count, 0)
    dilation = per_dim(m, call.arg(6, "dilation"), count, 1)
    if kernel is None or stride is None or padding is None or extra is None or dilation is None:
        return None

    def after(i: int, before: Value) -> Value:
        more = extra[i] + 1 - stride[i] - 2 * padding[i] + dilation[i] * (kernel[i] - 1)
        return plus(m, times(m, before, Const(stride[i])), Const(more))

    return after


for _count in (1, 2, 3):
    _convolution(_count, False)
    _convolution(_count, True)


# ---------------------------------------------------------------- pooling and resizing


def _pooling(kind: str, count: int) -> None:
    @op(f"{kind}_pool{count}d", "f")
    def model(m: Machine, call: Call, x: Tensor) -> Value:
        if m.see(call.kwargs.get("return_indices", FALSE)) != FALSE or len(call.args) > 3 or x.shape is None:
            return m.unknown(call.node, "one tensor or two") if kind == "max" else reshaped(m, x, None)
        if len(x.shape) <= count:
            return reshaped(m, x, None)
        kernel = per_dim(m, call.arg(0, "kernel_size"), count, 0)
        stride, padding = m.see(call.arg(1, "stride") or NONE), per_dim(m, call.arg(2, "padding"), count, 0)
        steps = kernel if stride == NONE else per_dim(m, stride, count, 1)
        dilation = per_dim(m, call.kwargs.get("dilation"), count, 1)
        rule: SizeRule | None = None
        plain = m.see(call.kwargs.get("ceil_mode", FALSE)) == FALSE
        if plain and kernel and steps and padding and dilation and 0 not in steps and 0 not in kernel:
            k, s, p, d = kernel, steps, padding, dilation

            def rule(i: int, before: Value) -> Value:
                return stepped(m, before, 2 * p[i] - d[i] * (k[i] - 1) - 1, s[i])

        shape = (*x.shape[:-count], *spatial(m, x.shape, count, rule))
        return reshaped(m, x, shape, memory.channels_kept(x, shape))


def _adaptive(kind: str, count: int) -> None:
    @op(f"adaptive_{kind}_pool{count}d", "f")
    def model(m: Machine, call: Call, x: Tensor) -> Value:
        if m.see(call.kwargs.get("return_indices", FALSE)) != FALSE or len(call.args) > 1:
            return m.unknown(call.node, "one tensor or two")
        if x.shape is None or len(x.shape) <= count:
            return reshaped(m, x, None)
        given = operand(m, call, 0, "output_size")
        items = containers.items_of(m, given) if is_sequence(given) else [given] * count
        if items is None or len(items) != count:
            return reshaped(m, x, (*x.shape[:-count], *spatial(m, x.shape, count, None)))
        kept = x.shape[-count:]
        sizes = [kept[i] if m.see(one) == NONE else one for i, one in enumerate(items)]
        shape = (*x.shape[:-count], *sizes)
        return reshaped(m, x, shape, memory.channels_kept(x, shape))


for _count in (1, 2, 3):
    for _kind in ("max", "avg"):
        _pooling(_kind, _count)
        _adaptive(_kind, _count)


EXACT = 64
"""What a factor may be a fraction of for its product with a size to be one: 0.5, 0.25, 1.5."""


@op("interpolate upsample", "f")
def _interpolate(m: Machine, call: Call, x: Tensor) -> Value:
    if x.shape is None or len(x.shape) < 3:
        return reshaped(m, x, None)
    count = len(x.shape) - 2
    wanted, factor = operand(m, call, 0, "size"), operand(m, call, 1, "scale_factor")
    if wanted != NONE:
        items = containers.items_of(m, wanted) if is_sequence(wanted) else [wanted] * count
        sizes = items if items is not None and len(items) == count else spatial(m, x.shape, count, None)
        return reshaped(m, x, (*x.shape[:2], *sizes))
    value = factor.value if isinstance(factor, Const) else None
    rule: SizeRule | None = None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf:
        top, bottom = value.as_integer_ratio()

        def rule(i: int, before: Value) -> Value:
            if bottom <= EXACT:
                whole = times(m, before, Const(top))
                return whole if bottom == 1 else calculate(m, "//", whole, Const(bottom), lambda x, y: x // y)
            known = number(before)
            return some(m, "a spatial size") if known is None else Const(math.floor(known * value))

    return reshaped(m, x, (*x.shape[:2], *spatial(m, x.shape, count, rule)))


@op("pixel_shuffle", "tf")
def _pixel_shuffle(m: Machine, call: Call, x: Tensor) -> Value:
    factor = number(operand(m, call, 0, "upscale_factor"))
    channels = number(m.see(x.shape[-3])) if x.shape is not None and len(x.shape) > 2 else None
    if not factor or x.shape is None or channels is None:
        return reshaped(m, x, None)
    sizes = [times(m, s, Const(factor)) for s in x.shape[-2:]]
    return reshaped(m, x, (*x.shape[:-3], Const(channels // factor**2), *sizes))


@op("grid_sample", "f")
def _grid_sample(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(values: list[Value]) -> Value:
        grid = values[1].shape if isinstance(values[1], Tensor) else None
        known = x.shape is not None and grid is not None and len(x.shape) > 2 and len(grid) == len(x.shape)
        shape = (*x.shape[:2], *grid[1:-1]) if known and x.shape and grid else None
        return joined(m, values, shape, None, together=True)

    return over(m, [x, operand(m, call, 0, "grid")], apply)


# ---------------------------------------------------------------- tokens and attention


@op("one_hot", "f")
def _one_hot(m: Machine, call: Call, x: Tensor) -> Value:
    classes = m.see(call.arg(0, "num_classes") or Const(-1))
    known = number(classes) is not None and (number(classes) or 0) >= 0
    last = classes if known else some(m, "the number of classes")
    return derived(m, x, shape=None if x.shape is None else (*x.shape, last), dtype=LONG)


@op("embedding", "f")
def _embedding(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(weight: Value) -> Value:
        known = isinstance(weight, Tensor) and weight.shape is not None and len(weight.shape) == 2
        width = weight.shape[1] if known and isinstance(weight, Tensor) and weight.shape else some(m, "the width")
        shape = None if x.shape is None else (*x.shape, width)
        dtype = weight.dtype if isinstance(weight, Tensor) else None
        if known and m.root.watch is not None and isinstance(weight, Tensor) and weight.shape:
            m.root.watch.table(m, call.node, x, m.see(weight.shape[0]))
        return joined(m, [x, weight], shape, dtype, kind="embedding")

    return lift(m, operand(m, call, 0, "weight"), apply)


@op("scaled_dot_product_attention", "f")
def _attention(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(values: list[Value]) -> Value:
        value = values[2].shape if isinstance(values[2], Tensor) else None
        shape = None
        if x.shape and value and len(x.shape) == len(value) > 1:
            batch = agreed_shape(m, [reshaped(m, x, x.shape[:-2]), reshaped(m, x, value[:-2])])
            shape = None if batch is None else (*batch, x.shape[-2], value[-1])
            mask = values[3].shape if isinstance(values[3], Tensor) else None
            if mask is not None and m.root.watch is not None:
                broadcast(m, [mask[-2:], (x.shape[-2], value[-2])])
        return joined(m, [v for v in values if v != NONE], shape, common_kept(m, values[:3]), together=True)

    rest = (operand(m, call, i, name) for i, name in enumerate(("key", "value", "attn_mask")))
    return over(m, [x, *rest], apply)


@op("glu", "f")
def _glu(m: Machine, call: Call, x: Tensor) -> Value:
    dim = dim_of(m.see(call.arg(0, "dim") or Const(-1)), len(x.shape)) if x.shape else None
    length = number(m.see(x.shape[dim])) if x.shape and dim is not None else None
    if not x.shape or dim is None or length is None:
        return reshaped(m, x, None)
    return derived(m, x, shape=put(x.shape, dim, Const(length // 2)), dtype=keeps_float(m, x))


@op("cosine_similarity pairwise_distance", "f")
def _distance(m: Machine, call: Call, x: Tensor) -> Value:
    return joined(m, [x, operand(m, call, 0, "x2")], None, None)


# ---------------------------------------------------------------- sequences and initial values


@function("torch.nn.utils.rnn.pad_sequence")
def _pad_sequence(m: Machine, call: Call) -> Value:
    held = tensor_list(m, call.arg(0, "sequences"))
    first = m.see(call.arg(1, "batch_first") or FALSE)
    if held is None or call.open:
        return m.unknown(call.node, "the sequences are not known")
    values, complete = held

    def apply(seen: list[Value]) -> Value:
        common = agreed_shape(m, seen, 0)
        if common is None or first not in (TRUE, FALSE):
            return whole(m, seen, None, of_first=True)
        lengths = [number(m.see(v.shape[0])) for v in seen if isinstance(v, Tensor) and v.shape]
        known = complete and len(lengths) == len(seen) and None not in lengths
        longest: Value = Const(max(n for n in lengths if n is not None)) if known else some(m, "the longest sequence")
        count: Value = Const(len(seen)) if complete else some(m, "the number of sequences")
        head = (count, longest) if first == TRUE else (longest, count)
        return whole(m, seen, (*head, *common[1:]), of_first=True)

    return over(m, values, apply)


def _initialised(m: Machine, call: Call) -> Value:
    """Functions of `torch.nn.init` fill a tensor and return it."""
    given = call.arg(0, "tensor") or NONE
    exported_state.changed(m, call.node, m.see(given))
    return given


for _name in ("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "uniform_", "normal_",
              "constant_", "zeros_", "ones_", "eye_", "orthogonal_", "trunc_normal_", "dirac_", "sparse_"):  # fmt: skip
    FUNCTIONS[f"torch.nn.init.{_name}"] = _initialised
