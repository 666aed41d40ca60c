"""Arithmetic on tensors, element by element, what compares, and what several become part of."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.sizes import Shape, broadcast, number, over, put, same, sizes_of, some
from aoti_lint.models.tensors.tensor_base import (
    BOOL,
    INTEGERS,
    LONG,
    asked_dtype,
    default_dtype,
    derived,
    is_kept,
    is_number,
    joined,
    keeps_float,
    of_several,
    op,
    operand,
    place,
    promoted,
)
from aoti_lint.models.torch import mixing
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Size, Tup, Value

EACH = """
    abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil cos cosh deg2rad
    digamma erf erfc erfinv exp exp2 expm1 fix floor frac i0 lgamma log log10 log1p log2 logit nan_to_num rad2deg
    reciprocal round rsqrt sgn sign sin sinc sinh sqrt square tan trunc
"""
EACH_ANYWHERE = "relu sigmoid tanh dropout celu selu"
EACH_NN = """
    dropout1d dropout2d dropout3d elu gelu hardsigmoid hardswish hardtanh leaky_relu mish relu6 silu softplus
    softshrink softsign tanhshrink threshold
"""
SAME = "angle bernoulli cumprod cumsum logcumsumexp renorm"
SAME_ANYWHERE = "rrelu alpha_dropout prelu hardshrink"
SAME_NN = "feature_alpha_dropout gumbel_softmax local_response_norm logsigmoid normalize"
KEPT = "neg negative flip fliplr flipud roll tril triu bitwise_not"
WRITTEN = "fill index_put slice_scatter"
INDEXED = "index_add index_copy index_fill scatter scatter_add scatter_reduce"
TWO = """
    add addcdiv addcmul arctan2 atan2 bitwise_and bitwise_or bitwise_xor clamp clamp_max clamp_min clip copysign div
    divide floor_divide fmax fmin fmod gcd heaviside hypot lcm ldexp lerp logaddexp logaddexp2 maximum
    minimum mul multiply nextafter pow remainder rsub sub subtract true_divide xlogy
"""
COMPARED = """
    eq ge greater greater_equal gt isclose le less less_equal logical_and logical_or logical_xor lt ne not_equal
"""
ASKED = "isnan isinf isfinite isposinf isneginf isreal logical_not signbit"


@op(EACH, "mti", loose=True)
@op(EACH_ANYWHERE, "mtfi", loose=True)
@op(EACH_NN, "fi", loose=True)
def _of_each(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=asked_dtype(m, call, keeps_float(m, x)), strides=memory.kept(x))


@op(SAME, "mti", loose=True)
@op(SAME_ANYWHERE, "mtfi", loose=True)
@op(SAME_NN, "fi", loose=True)
def _same_shape(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=asked_dtype(m, call, keeps_float(m, x)))


@op("softmax log_softmax", "mtfi", loose=True)
@op("softmin", "fi", loose=True)
def _in_rows(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=asked_dtype(m, call, keeps_float(m, x)), strides=memory.dense(x.shape))


@op("batch_norm group_norm instance_norm", "tf", loose=True)
def _normalised(m: Machine, call: Call, x: Tensor) -> Value:
    mixing.note(m, mixing.taken(m, [x, *call.values], together=True))
    return derived(m, x, dtype=keeps_float(m, x), strides=memory.dense(x.shape) if memory.in_rows(x) else None)


@op("layer_norm rms_norm", "tf", loose=True)
def _normalised_at_the_end(m: Machine, call: Call, x: Tensor) -> Value:
    wanted = sizes_of(m, call.arg(0, "normalized_shape"))
    if m.root.watch is not None and x.shape and wanted and len(wanted) <= len(x.shape):
        for given, one in zip(x.shape[-len(wanted) :], wanted, strict=True):
            m.root.watch.fit(m, m.see(given), one)
    mixing.note(m, mixing.taken(m, [x, *call.values], together=True))
    return derived(m, x, dtype=keeps_float(m, x), strides=memory.dense(x.shape) if memory.in_rows(x) else None)


@op(KEPT, "mti")
@op(WRITTEN, "mt")
def _kept(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, strides=memory.dense(x.shape) if memory.in_rows(x) else None)


@op(INDEXED, "mt")
def _written_at(m: Machine, call: Call, x: Tensor) -> Value:
    mixing.note(m, mixing.taken(m, [x, *call.values]))
    return derived(m, x)


@op(ASKED, "mti")
def _asked(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=BOOL)


# ---------------------------------------------------------------- element by element


def shape_of_operand(value: Value) -> Shape | None:
    if isinstance(value, Tensor):
        return value.shape
    return () if is_number(value) else None


def common_shape(m: Machine, values: list[Value]) -> Shape | None:
    """The shape that operands broadcast to; what does not fit is noted."""
    shapes = [shape_of_operand(value) for value in values]
    made = broadcast(m, shapes)
    if made is None and m.root.watch is None and None not in shapes:
        _note_misfit(m, [shape for shape in shapes if shape])
    return made


def _note_misfit(m: Machine, shapes: list[Shape]) -> None:
    for back in range(1, max(map(len, shapes), default=0) + 1):
        sizes = [size for shape in shapes if back <= len(shape) and (size := m.see(shape[-back])) != Const(1)]
        for size in sizes[1:]:
            if number(size) is not None and number(sizes[0]) is not None and size != sizes[0]:
                mixing.fit(m, size, sizes[0])
                return


def elementwise(m: Machine, values: list[Value], *, of_integers: bool = False, divides: bool = False) -> Value:
    """An operation on several operands that broadcast, of which one at least is a tensor.

    `of_integers`: of integers it makes integers; `divides`: of integers it makes floating numbers.
    """
    return over(m, values, lambda seen: _elementwise(m, seen, of_integers, divides))


def _elementwise(m: Machine, values: list[Value], of_integers: bool, divides: bool) -> Value:
    tensors = [v for v in values if isinstance(v, Tensor)]
    plain = all(isinstance(v, Tensor | Const | Size) and not _is_complex(v) for v in values)
    dtype = promoted(tensors) if plain else None
    shape = common_shape(m, values)
    whole = of_integers and all(isinstance(v, Tensor) or _is_integer(v) for v in values)
    if whole and dtype == BOOL and any(isinstance(v, Const) and type(v.value) is int for v in values):
        dtype = LONG
    fractions = divides or any(isinstance(v, Const) and type(v.value) is float for v in values)
    if dtype in (*INTEGERS, BOOL) and fractions:
        dtype = default_dtype(m)
    made = joined(m, values, shape, dtype if (whole and dtype in INTEGERS) or is_kept(m, dtype) else None)
    return replace(made, strides=memory.elementwise(values, shape)) if isinstance(made, Tensor) else made


def _is_integer(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, int)


def _is_complex(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, complex)


def compared(m: Machine, values: list[Value]) -> Value:
    """A comparison of operands that broadcast."""

    def apply(seen: list[Value]) -> Value:
        return joined(m, seen, common_shape(m, seen), BOOL)

    return over(m, values, apply)


def operands(call: Call, x: Tensor) -> list[Value]:
    """The tensor and the further operands of a call; settings such as `alpha=` are no operands."""
    named = ("other", "min", "max", "exponent", "tensor1", "tensor2", "end", "weight", "mask", "value")
    return [x, *call.args, *(v for k, v in call.kwargs.items() if k in named)]


@op(TWO, "mti")
def _two(m: Machine, call: Call, x: Tensor) -> Value:
    return elementwise(m, operands(call, x))


@op("masked_fill", "mti")
def _masked_fill(m: Machine, call: Call, x: Tensor) -> Value:
    """It keeps the dtype, whatever it fills in."""

    def apply(values: list[Value]) -> Value:
        return joined(m, values, common_shape(m, values), x.dtype)

    return over(m, [x, operand(m, call, 0, "mask")], apply)


@op(COMPARED, "mti")
def _compared(m: Machine, call: Call, x: Tensor) -> Value:
    return compared(m, operands(call, x)[:2])


def places(m: Machine, call: Call, x: Value) -> Value:
    """Where a tensor is not zero: its indices along each dimension, in a tensor each."""
    if not isinstance(x, Tensor) or not x.shape:
        return m.unknown(call.node, "the indices where something holds")
    count = some(m, "the number of elements that are not zero")
    return Tup(tuple(derived(m, x, shape=(count,), dtype=LONG) for _ in x.shape))


@op("where", "m")
def _where_method(m: Machine, call: Call, x: Tensor) -> Value:
    return elementwise(m, [x, operand(m, call, 0, "condition"), operand(m, call, 1, "other")])


@function("torch.where")
def _where(m: Machine, call: Call) -> Value:
    given = [operand(m, call, 0, "condition"), operand(m, call, 1, "input"), operand(m, call, 2, "other")]
    if len(call.values) == 1 and not call.open:
        return lift(m, given[0], lambda condition: places(m, call, condition))
    if call.open or given[1] == NONE or given[2] == NONE:
        return m.unknown(call.node, "the indices where something holds")

    def apply(values: list[Value]) -> Value:
        shape = common_shape(m, values)
        chosen = [v for v in values[1:] if isinstance(v, Tensor)]
        plain = all(isinstance(v, Tensor | Const) and not _is_complex(v) for v in values[1:])
        dtype = promoted(chosen) if len(chosen) == 2 else keeps_float(m, chosen[0]) if chosen and plain else None
        return joined(m, values, shape, dtype)

    return over(m, given, apply)


# ---------------------------------------------------------------- several into one


def tensor_list(m: Machine, value: Value | None) -> tuple[list[Value], bool] | None:
    """The tensors a sequence holds, and whether these are all; an unknown number of alike ones counts as one."""
    value = m.see(value) if value is not None else None
    items = containers.items_of(m, value) if value is not None else None
    if items is not None:
        return [m.see(i) for i in items], True
    element = containers.element_of(m, value) if value is not None else None
    return None if element is None else ([m.see(element)], False)


def shape_of(value: Value) -> Shape | None:
    """The shape of a tensor, where that is known."""
    return value.shape if isinstance(value, Tensor) else None


def agreed_shape(m: Machine, values: list[Value], free: int | None = None) -> Shape | None:
    """The shape all tensors have; `free` is a dimension (from the front) they need not agree in."""
    shapes = [shape_of(v) for v in values]
    known = [s for s in shapes if s is not None]
    if not known or len(known) != len(shapes):
        return None
    if free is None:
        return same(m, known)
    if any(len(s) != len(known[0]) or free >= len(s) for s in known):
        return None
    return same(m, [put(s, free, Const(1)) for s in known])


def whole(m: Machine, values: list[Value], shape: Shape | None, of_first: bool = False) -> Value:
    """The tensor that several become part of, of the dtype of the first or of what torch makes of all."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    if not tensors:
        return some(m, "an operation on unknown values")
    dtype = tensors[0].dtype if of_first else promoted(tensors) if len(tensors) == len(values) else None
    return of_several(m, tensors, shape, dtype, place(m, values, together=True))
