"""Arrays of numpy, as far as they become tensors: shape, dtype, strides, and that they are on the CPU."""

from __future__ import annotations

from aoti_lint.language.effects import api_calls, backward
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tensors.memory import Strides, dense, kept
from aoti_lint.models.tensors.sizes import Shape, number, size_arguments, sizes_of, some
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, Const, Obj, Ref, Tup, Value

CLASS = Ref("numpy.ndarray")
NAMES = {
    **{name: f"torch.{name}" for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")},
    "bool": "torch.bool", "bool_": "torch.bool", "float": "torch.float64", "int": "torch.int64",
    "single": "torch.float32", "double": "torch.float64", "half": "torch.float16",
}  # fmt: skip


LIES = "#lies"
"""The slot of an array that holds a shape and the strides which the array has as long as that is its shape."""


def is_array(value: Value) -> bool:
    return isinstance(value, Obj) and value.cls == CLASS


def new_array(m: Machine, shape: Shape | None, dtype: str | None, strides: Strides | None = None) -> Value:
    """An array. Shape and dtype are ordinary attributes, so that what the script assigns to them counts.

    Its strides are those of a tensor, in elements, and hold for this shape alone.
    """
    made = m.new("object", CLASS)
    if shape is not None and strides is not None:
        m.store.write(made.ident, LIES, Tup((Tup(shape), *map(Const, strides))))
    m.store.write(made.ident, "shape", some(m, "the shape of an array") if shape is None else Tup(shape))
    m.store.write(made.ident, "#dtype", NONE if dtype is None else Const(dtype))
    return made


def of_tensor(m: Machine, call: Call, x: Tensor, dtype: str | None, strides: Strides | None = None) -> Value:
    """The array that a tensor becomes; the rules are told of the tensor."""
    if not (m.root.watch or m.root.compiling or m.root.exporting or m.root.muted):
        forced = m.see(call.kwargs.get("force", FALSE)) != FALSE
        followed = not forced and backward.is_followed(m, x)
        api_calls.tell(m, call, api_calls.NUMPY_OF_GRADIENT if followed else api_calls.NUMPY, x)
    return new_array(m, x.shape, dtype, strides)


def shape_of(m: Machine, array: Value) -> Shape | None:
    assert isinstance(array, Obj)
    found = sizes_of(m, m.read(array.ident, "shape"))
    return None if found is None or any(s == Const(-1) for s in found) else found


def dtype_of(m: Machine, array: Value) -> str | None:
    """The dtype of the tensor it becomes."""
    assert isinstance(array, Obj)
    held = m.read(array.ident, "#dtype")
    return str(held.value) if isinstance(held, Const) and held.value is not None else None


def strides_of(m: Machine, array: Value) -> Strides | None:
    """How an array lies in memory, as far as that is known."""
    assert isinstance(array, Obj)
    held, shape = m.read(array.ident, LIES), shape_of(m, array)
    if not (isinstance(held, Tup) and shape is not None and held.items[0] == Tup(shape)):
        return None
    return tuple(number(one) for one in held.items[1:])


def in_rows(m: Machine, call: Call, shape: Shape | None, dtype: str | None) -> Value:
    """A new array whose elements lie one after the other, unless the call may ask for another order."""
    asked = call.open or call.kwargs.get("order", Const("C")) != Const("C")
    return new_array(m, shape, dtype, None if asked else dense(shape))


def named(m: Machine, value: Value | None, otherwise: str | None) -> str | None:
    """The dtype that an argument such as `np.float32`, `"float32"` or `float` names."""
    value = None if value is None else m.see(value)
    if value is None or value == NONE:
        return otherwise
    if isinstance(value, Ref) and (value.name.startswith("numpy.") or "." not in value.name):
        return NAMES.get(value.name.rpartition(".")[2])
    return NAMES.get(value.value) if isinstance(value, Const) and isinstance(value.value, str) else None


@function("numpy.zeros", "numpy.ones", "numpy.empty")
def _sized(m: Machine, call: Call) -> Value:
    first = m.see(call.arg(0, "shape") or NONE)
    shape = size_arguments(m, Call(call.node, [first]))
    dtype = None if call.open else named(m, call.arg(1, "dtype"), "torch.float64")
    return in_rows(m, call, shape, dtype)


@function("numpy.random.rand", "numpy.random.randn")
def _random(m: Machine, call: Call) -> Value:
    return in_rows(m, call, size_arguments(m, call), "torch.float64") if call.args else some(m, "a number")


@function("numpy.random.random", "numpy.random.random_sample")
def _random_sized(m: Machine, call: Call) -> Value:
    return _by_size(m, call, call.arg(0, "size"))


@function("numpy.random.uniform", "numpy.random.normal")
def _random_between(m: Machine, call: Call) -> Value:
    return _by_size(m, call, call.arg(2, "size"))


def _by_size(m: Machine, call: Call, given: Value | None) -> Value:
    if given is None or m.see(given) == NONE:
        return some(m, "a number or an array")
    return in_rows(m, call, size_arguments(m, Call(call.node, [m.see(given)])), "torch.float64")


@method("numpy.ndarray", "astype")
def _astype(m: Machine, call: Call, receiver: Value) -> Value:
    plain = not call.open and "order" not in call.kwargs and len(call.args) < 2
    made = Tensor("", Device("cpu"), shape_of(m, receiver), None, strides=strides_of(m, receiver))
    return new_array(m, made.shape, named(m, call.arg(0, "dtype"), None), kept(made) if plain else None)


@method("numpy.ndarray", "copy")
def _copy(m: Machine, call: Call, receiver: Value) -> Value:
    return in_rows(m, call, shape_of(m, receiver), dtype_of(m, receiver))


@method("numpy.ndarray", "resize")
def _resize(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    m.store.write(receiver.ident, "shape", some(m, "the array was resized"))
    return NONE


@function("numpy.ascontiguousarray")
def _contiguous(m: Machine, call: Call) -> Value:
    def apply(value: Value) -> Value:
        if is_array(value) and not call.open:
            shape = shape_of(m, value) or None
            return new_array(m, shape, named(m, call.arg(1, "dtype"), dtype_of(m, value)), dense(shape))
        return some(m, "an array of something unknown")

    return lift(m, call.arg(0, "a") or NONE, apply)
