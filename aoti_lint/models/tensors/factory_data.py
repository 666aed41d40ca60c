"""Functions of torch that make tensors of data: of numbers in lists, of arrays, of parts."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tensors import arrays, memory
from aoti_lint.models.tensors.factories import by_constant, made
from aoti_lint.models.tensors.sizes import (
    Shape,
    broadcast,
    is_integer,
    is_sequence,
    number,
    over,
    same,
    size_arguments,
    some,
)
from aoti_lint.models.tensors.tensor_base import DTYPES, LONG, default_dtype, dtype_name, is_number, joined, operand
from aoti_lint.models.torch import devices
from aoti_lint.values.call import Call
from aoti_lint.values.sizes.reckoning import is_float
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import NONE, Const, Many, Sym, Value

CPU = Device("cpu")
RANKS = {
    "torch.bool": 0, "torch.int64": 1, "torch.float16": 2, "torch.bfloat16": 2, "torch.float32": 2, "torch.float64": 2,
}  # fmt: skip


def literal(m: Machine, value: Value) -> tuple[Shape | None, str | None]:
    """Shape and dtype of the tensor that nested lists of numbers make; None for what is not known."""
    value = m.see(value)
    if isinstance(value, Const):
        return (), by_constant(value, m)
    if is_float(value):
        return (), default_dtype(m)
    if is_integer(value):
        return (), LONG
    if isinstance(value, Sym) and isinstance(value.default, Const) and isinstance(value.default.value, int | float):
        return (), None
    if arrays.is_array(value):
        return arrays.shape_of(m, value), arrays.dtype_of(m, value)
    if not is_sequence(value):
        return None, None
    items = containers.items_of(m, value)
    if items is None:
        element, count = containers.element_of(m, value), containers.count_of(m, value)
        inner, dtype = literal(m, element) if element is not None else (None, None)
        first = some(m, "the length of a list") if count is None else Const(count)
        return (None if inner is None else (first, *inner)), dtype
    if not items:
        return (Const(0),), default_dtype(m)
    parts = [literal(m, item) for item in items]
    known = [shape for shape, _ in parts if shape is not None]
    agreed = same(m, known) if known else None
    return (None if agreed is None else (Const(len(items)), *agreed)), _wider([dtype for _, dtype in parts])


def _wider(dtypes: list[str | None]) -> str | None:
    """The dtype of numbers of several kinds in one list."""
    if any(d not in RANKS for d in dtypes):
        return None
    return max((d for d in dtypes if d is not None), key=lambda d: RANKS[d])


@function("torch.as_tensor", "torch.asarray")
def _as_tensor(m: Machine, call: Call) -> Value:
    """A tensor that is one already is given back, as it is or moved."""

    def same(data: Value, new: Value) -> Value:
        if not isinstance(data, Tensor) or not isinstance(new, Tensor):
            return new
        return replace(new, span=data.span) if call.open or len(call.values) > 1 else data

    new = _tensor(m, call)
    return lift(m, call.args[0], lambda data: same(data, m.see(new))) if call.args else new


@function("torch.tensor", "torch.scalar_tensor")
def _tensor(m: Machine, call: Call) -> Value:
    def build(data: Value) -> Value:
        default = devices.default_device(m)
        if isinstance(data, Tensor):
            here = m.read("torch", "default_device")
            settled = here is None or here == data.device
            kept = data.device if settled else some(m, "torch.tensor() under a default device")
            return made(m, call, data.shape, data.dtype, kept)
        if not (is_number(data) or is_sequence(data) or arrays.is_array(data)):
            # It may be a tensor, and then its device counts.
            return made(m, call, None, None, some(m, "the device of unknown data"))
        shape, dtype = literal(m, data)
        new = made(m, call, shape, dtype, default)
        if not arrays.is_array(data):
            return new
        return replace(new, strides=memory.kept(replace(new, strides=_forward(arrays.strides_of(m, data)))))

    return lift(m, call.arg(0, "data", call.kwargs.get("obj")) or call.arg(0, "s", NONE) or NONE, build)


@function("torch.from_numpy")
def _from_numpy(m: Machine, call: Call) -> Value:
    """Memory of the host: always on the CPU."""

    def build(array: Value) -> Value:
        made = Tensor(f"t{m.fresh()}", CPU, None, None, span=m.span(call.node))
        if not arrays.is_array(array):
            return made
        shape, strides = arrays.shape_of(m, array), _forward(arrays.strides_of(m, array))
        return replace(made, shape=shape, dtype=arrays.dtype_of(m, array), strides=strides)

    return lift(m, call.arg(0, "ndarray") or NONE, build)


def _forward(strides: memory.Strides | None) -> memory.Strides | None:
    """The strides of an array as those of a tensor, which cannot go backwards."""
    return None if strides is None or any(one is not None and one < 0 for one in strides) else strides


@function("torch.frombuffer", "torch.from_file")
def _from_buffer(m: Machine, call: Call) -> Value:
    """Bytes of the host, one after the other."""
    dtype = dtype_name(m, call.kwargs.get("dtype", NONE))
    shape = (some(m, "the number of elements in a buffer"),)
    return Tensor(f"t{m.fresh()}", CPU, shape, dtype, span=m.span(call.node), strides=(1,))


@function("torch.from_dlpack", "torch.utils.dlpack.from_dlpack")
def _from_dlpack(m: Machine, call: Call) -> Value:
    def build(given: Value) -> Value:
        if isinstance(given, Tensor):
            return made(m, Call(call.node, []), given.shape, given.dtype, given.device)
        return made(m, Call(call.node, []), None, None, some(m, "the device of unknown data"))

    return lift(m, call.arg(0, "ext_tensor") or NONE, build)


@function("torch.complex", "torch.polar")
def _complex(m: Machine, call: Call) -> Value:
    def build(values: list[Value]) -> Value:
        shapes = [v.shape if isinstance(v, Tensor) else None for v in values]
        return joined(m, values, broadcast(m, shapes))

    names = ("real", "imag") if "real" in call.kwargs or "imag" in call.kwargs else ("abs", "angle")
    return over(m, [operand(m, call, 0, names[0]), operand(m, call, 1, names[1])], build)


@method("Tensor", "new_tensor")
def _new_tensor(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Tensor)

    def build(data: Value) -> Value:
        if isinstance(data, Tensor):
            return made(m, call, data.shape, None, some(m, "new_tensor() of a tensor"))
        return made(m, call, literal(m, data)[0], receiver.dtype, receiver.device)

    return lift(m, call.arg(0, "data") or NONE, build)


def _legacy(name: str, dtype: str | None) -> None:
    """`torch.FloatTensor(2, 3)` and the like: sizes, or data."""
    module, _, last = f"torch.{name}".rpartition(".")
    device = Device("cuda") if module == "torch.cuda" else CPU

    @function(f"torch.{name}")
    def model(m: Machine, call: Call) -> Value:
        here = devices.default_device(m)
        placed: Value = device if last != "Tensor" or here == CPU else some(m, "torch.Tensor() under a default device")
        given = [m.see(a) for a in call.args]
        if given and all(number(g) is not None for g in given):
            shape = size_arguments(m, call)
        elif len(given) == 1 and is_sequence(given[0]):
            shape = literal(m, given[0])[0]
        else:
            shape = None
        if given and isinstance(given[0], Tensor):
            placed = given[0].device if last == "Tensor" else some(m, "a legacy constructor of a tensor")
        named = default_dtype(m) if last == "Tensor" else dtype
        return Tensor(f"t{m.fresh()}", placed, shape, named, span=m.span(call.node))


for _name, _dtype in {
    "FloatTensor": "float", "DoubleTensor": "double", "HalfTensor": "half", "LongTensor": "long", "IntTensor": "int",
    "BoolTensor": "bool", "ByteTensor": "uint8", "BFloat16Tensor": "bfloat16",
}.items():  # fmt: skip
    _legacy(_name, DTYPES[f"torch.{_dtype}"])
    _legacy(f"cuda.{_name}", DTYPES[f"torch.{_dtype}"])
_legacy("Tensor", None)


@function("torch.meshgrid")
def _meshgrid(m: Machine, call: Call) -> Value:
    given = call.args
    if len(given) == 1 and is_sequence(m.see(given[0])):
        given = containers.items_of(m, given[0]) or []
    if call.open or not given:
        return m.unknown(call.node, "the parts of a grid are not all known")

    def build(values: list[Value]) -> Value:
        parts = [v.shape if isinstance(v, Tensor) else None for v in values]
        shape: Shape | None = None
        indexing = m.see(call.kwargs.get("indexing", Const("ij")))
        if all(p is not None and len(p) < 2 for p in parts):
            shape = tuple(p[0] if p else Const(1) for p in parts if p is not None)
            if indexing == Const("xy"):
                shape = (*shape[:2][::-1], *shape[2:])
            elif indexing != Const("ij"):
                shape = None
        one = joined(m, values, shape)
        if not isinstance(one, Tensor):
            return one
        made_of = m.new("list")
        m.store.write(made_of.ident, "#items", Many(one))
        return made_of

    return over(m, given, build)
