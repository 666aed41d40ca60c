"""Functions of torch that make tensors: from sizes, like another one, on a range."""

from __future__ import annotations

import math
from dataclasses import replace

from aoti_lint.language import access
from aoti_lint.language.effects import gradients, inference
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.operations.changes import written_out
from aoti_lint.models.tensors.sizes import (
    Shape,
    broadcast,
    calculate,
    is_sequence,
    number,
    over,
    size,
    size_arguments,
    sizes_of,
    some,
)
from aoti_lint.models.tensors.tensor_base import (
    LONG,
    default_dtype,
    dtype_name,
    given_device,
    is_number,
    joined,
    operand,
)
from aoti_lint.models.torch import devices, gpus
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, Choice, Const, Sym, Tup, Unknown, Value


def made(m: Machine, call: Call, shape: Shape | None, dtype: str | None, device: Value | None = None) -> Tensor:
    """A new tensor where `device=` says, else on `device`, else on the default device."""
    otherwise = devices.default_device(m) if device is None else device
    asked = call.kwargs.get("device")
    devices.tell(m, call)
    placed = given_device(m, asked, otherwise)
    if call.open and asked is None:
        placed = some(m, "there may be a device among unknown arguments")
    gpus.note(m, call.node, placed)
    # They take a dtype by name only: what stands in its place is a size.
    wanted = m.see(call.kwargs.get("dtype", NONE))
    named = dtype if wanted == NONE else dtype_name(m, wanted)
    if call.open and "dtype" not in call.kwargs:
        named = None
    if m.root.watch is not None:
        for one in shape or ():
            m.root.watch.shrunk(m, m.see(one))
    plain = not call.open and "memory_format" not in call.kwargs and "layout" not in call.kwargs
    strides = memory.dense(shape) if plain else None
    new = Tensor(f"t{m.fresh()}", placed, shape, named, span=m.span(call.node), strides=strides)
    if call.kwargs.get("requires_grad", FALSE) != FALSE:
        gradients.want(m, new)
    inference.note(m, call.node, new)
    return new


def by_constant(value: Value | None, m: Machine) -> str | None:
    """The dtype torch takes from a Python number."""
    if not isinstance(value, Const):
        return None
    if isinstance(value.value, bool):
        return "torch.bool"
    if isinstance(value.value, int):
        return LONG
    return default_dtype(m) if isinstance(value.value, float) else None


# ---------------------------------------------------------------- from sizes


@function("torch.randn", "torch.rand", "torch.zeros", "torch.ones", "torch.empty")
def _sized(m: Machine, call: Call) -> Value:
    def build(value: Value | None) -> Value:
        known = call if value is None else Call(call.node, [value, *call.args[1:]], call.kwargs, [], call.open)
        return made(m, known, size_arguments(m, known, 0, "size"), default_dtype(m))

    first = m.see(call.args[0]) if call.args else NONE
    several = isinstance(first, Choice) and any(is_sequence(leaf) for _, leaf in leaves(first))
    return written_out(m, call) or (lift(m, first, build) if several else build(None))


@function("torch.full")
def _full(m: Machine, call: Call) -> Value:
    return written_out(m, call) or made(
        m, call, sizes_of(m, call.arg(0, "size")), by_constant(operand(m, call, 1, "fill_value"), m)
    )


@function("torch.empty_strided", "torch.empty_permuted")
def _first_only(m: Machine, call: Call) -> Value:
    return replace(made(m, call, sizes_of(m, call.arg(0, "size")), default_dtype(m)), strides=None)


@function("torch.randint")
def _randint(m: Machine, call: Call) -> Value:
    given = call.kwargs.get("size")
    if given is None:
        given = next((a for a in call.args[1:3] if is_sequence(m.see(a))), None)
    return written_out(m, call) or made(m, call, sizes_of(m, given), LONG)


@function("torch.normal")
def _normal(m: Machine, call: Call) -> Value:
    mean, std = operand(m, call, 0, "mean"), operand(m, call, 1, "std")
    sizes = sizes_of(m, call.arg(2, "size"))
    if is_number(mean) and is_number(std):
        return written_out(m, call) or made(m, call, sizes, default_dtype(m))

    def build(values: list[Value]) -> Value:
        shapes = [v.shape if isinstance(v, Tensor) else () if is_number(v) else None for v in values]
        return joined(m, values, broadcast(m, shapes))

    return over(m, [mean, std], build)


@function("torch.eye")
def _eye(m: Machine, call: Call) -> Value:
    rows, columns = operand(m, call, 0, "n"), operand(m, call, 1, "m")
    if columns != NONE or rows == NONE:
        shape = (size(m, rows), size(m, columns))
    else:
        shape = (size(m, rows), size(m, rows))
    return written_out(m, call) or made(m, call, None if call.open else shape, default_dtype(m))


@function("torch.nn.Transformer.generate_square_subsequent_mask")
def _causal_mask(m: Machine, call: Call) -> Value:
    steps = size(m, operand(m, call, 0, "sz"))
    return made(m, call, None if call.open else (steps, steps), default_dtype(m))


@method("Module", "generate_square_subsequent_mask")
def _causal_mask_of(m: Machine, call: Call, _: Value) -> Value:
    return _causal_mask(m, call)


@function("torch.randperm")
def _randperm(m: Machine, call: Call) -> Value:
    return written_out(m, call) or made(m, call, (size(m, operand(m, call, 0, "n")),), LONG)


@function(*(f"torch.{name}_window" for name in ("hann", "hamming", "blackman", "bartlett", "kaiser")))
def _window(m: Machine, call: Call) -> Value:
    return made(m, call, (size(m, operand(m, call, 0, "window_length")),), default_dtype(m))


@function("torch.tril_indices", "torch.triu_indices")
def _indices(m: Machine, call: Call) -> Value:
    return made(m, call, (Const(2), some(m, "the number of indices in a triangle")), LONG)


@function("torch.Size")
def _torch_size(m: Machine, call: Call) -> Value:
    if not call.args:
        return Tup(())
    found = sizes_of(m, call.args[0])
    return m.see(call.args[0]) if found is None else Tup(found)


# ---------------------------------------------------------------- ranges


@function("torch.arange")
def _arange(m: Machine, call: Call) -> Value:
    given = list(call.args)
    if "end" in call.kwargs:
        given = [call.kwargs.get("start", given[0] if given else Const(0)), call.kwargs["end"]]
    if len(given) == 1:
        given = [Const(0), *given]
    step = call.kwargs.get("step", given[2] if len(given) > 2 else Const(1))
    values = [m.see(v) for v in (*given[:2], step)]
    if len(values) < 3 or call.open:
        return made(m, call, None if len(values) < 3 else (some(m, "a range of unknown length"),), None)
    numeric = all(number(v) is not None for v in values)
    dtype = LONG if numeric else None
    if all(isinstance(v, Const) and isinstance(v.value, int | float) for v in values) and not numeric:
        dtype = default_dtype(m)
    counted = written_out(m, call) or made(m, call, (range_length(m, *values),), dtype)
    if m.root.watch is not None and step == Const(1) and isinstance(counted, Tensor):
        m.root.watch.counts_up(counted, values[1])
    return counted


def range_length(m: Machine, start: Value, end: Value, step: Value) -> Value:
    plain = [v.value for v in (start, end, step) if isinstance(v, Const) and isinstance(v.value, int | float)]
    if len(plain) == 3 and plain[2]:
        try:
            return Const(max(math.ceil((plain[1] - plain[0]) / plain[2]), 0))
        except (OverflowError, ValueError):
            return some(m, "a range without an end")
    if step == Const(1):
        last = size(m, end)
        return last if start == Const(0) else calculate(m, "-", last, size(m, start), lambda e, s: e - s)
    return some(m, "a range of unknown length")


@function("torch.linspace", "torch.logspace")
def _linspace(m: Machine, call: Call) -> Value:
    start, end, steps = operand(m, call, 0, "start"), operand(m, call, 1, "end"), operand(m, call, 2, "steps")
    plain = is_number(start) and is_number(end) and not call.open
    shape = (size(m, steps),) if plain and steps != NONE else None
    real = all(isinstance(v, Const) and isinstance(v.value, int | float) for v in (start, end))
    if m.root.watch is not None:
        m.root.watch.note(m, "points", call.node, m.see(steps))
    return written_out(m, call) or made(m, call, shape, default_dtype(m) if real else None)


# ---------------------------------------------------------------- like another tensor


@function(*(f"torch.{name}_like" for name in ("randn", "rand", "zeros", "ones", "empty", "full", "randint")))
def _like(m: Machine, call: Call) -> Value:
    def build(given: Value) -> Value:
        if isinstance(given, Tensor):
            new = made(m, call, given.shape, given.dtype, given.device)
            new = replace(new, strides=None if new.strides is None else memory.kept(given))
            if m.root.watch is not None:
                m.root.watch.sources[new.key] = (given.key,)
            return new
        if isinstance(given, Unknown | Sym):
            return made(m, call, None, None, access.get_attr(m, call.node, given, "device"))
        return made(m, call, None, None, some(m, "the device of something unknown"))

    return lift(m, call.arg(0, "input") or NONE, build)


@method("Tensor", "new_zeros", "new_ones", "new_empty")
def _new(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Tensor)
    return made(m, call, size_arguments(m, call, 0, "size"), receiver.dtype, receiver.device)


@method("Tensor", "new_full", "new_empty_strided")
def _new_by_sequence(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Tensor)
    return made(m, call, sizes_of(m, call.arg(0, "size")), receiver.dtype, receiver.device)


@method("Tensor", "new")
def _legacy_new(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Tensor)
    sizes = len(call.args) > 1 and all(number(m.see(a)) is not None for a in call.args)
    return made(m, call, size_arguments(m, call) if sizes else None, receiver.dtype, receiver.device)


@function("torch.set_default_dtype")
def _set_default_dtype(m: Machine, call: Call) -> Value:
    m.store.write("torch", "default_dtype", call.arg(0, "d") or some(m, "an unknown default dtype"))
    return NONE


@function("torch.get_default_dtype")
def _get_default_dtype(m: Machine, call: Call) -> Value:
    return m.read("torch", "default_dtype") or some(m, "the default dtype")
