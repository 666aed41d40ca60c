"""Functions of numpy on arrays: each as torch's function of the same shape rule on a tensor of the host.

A dtype that an operation may change is not known afterwards, but for arithmetic, where numpy's own rules hold
(`array_dtypes`).
"""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.language.tools import opaque
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import FUNCTIONS, METHODS, attribute, function, method, operator
from aoti_lint.models.tensors import array_dtypes, images, memory
from aoti_lint.models.tensors.arrays import (
    CLASS,
    dtype_of,
    in_rows,
    is_array,
    named,
    new_array,
    of_tensor,
    shape_of,
    strides_of,
)
from aoti_lint.models.tensors.factory_data import literal
from aoti_lint.models.tensors.sizes import is_sequence, size_arguments, some
from aoti_lint.models.tensors.tensor_base import FLOATS, HALVES, OPEN, is_number
from aoti_lint.models.tensors.tensors import elementwise
from aoti_lint.values.call import Call
from aoti_lint.values.sizes.reckoning import is_float
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import NONE, Const, Obj, SliceValue, Tup, Value

HOST = Device("cpu")
GENERATOR = "numpy.random.Generator"


def as_tensor(m: Machine, array: Value) -> Tensor:
    """A tensor of the shape of an array."""
    return Tensor(f"t{m.fresh()}", HOST, shape_of(m, array), dtype_of(m, array), strides=strides_of(m, array))


def as_array(m: Machine, made: Value, dtype: str | None = None) -> Value:
    """The array that lies as a tensor does."""

    def apply(v: Value) -> Value:
        return new_array(m, v.shape, dtype, v.strides) if isinstance(v, Tensor) else some(m, "no array")

    return lift(m, made, apply)


def open_dtype(made: Value) -> str | None:
    """The dtype of an argument of a custom op, which numpy's arithmetic keeps as torch's does."""
    return made.dtype if isinstance(made, Tensor) and (made.dtype or "").startswith(OPEN) else None


def inner(m: Machine, value: Value) -> Value:
    """An argument with the arrays in it as tensors."""
    value = m.see(value)
    if is_array(value):
        return as_tensor(m, value)
    items = containers.items_of(m, value) if is_sequence(value) else None
    return value if items is None else m.new_list([inner(m, i) for i in items])


RENAMED = {"axis": "dim", "keepdims": "keepdim"}
NOT_IN_TORCH = {"dtype", "casting", "subok", "device"}
"""Arguments of numpy that say nothing of the sizes; what a dtype says is read beside the call of torch's function."""
OTHERWISE = {"out", "order", "shape", "where"}
"""With one of these, a function makes something else than torch's."""


def _in_torch(m: Machine, given: dict[str, Value]) -> dict[str, Value]:
    return {RENAMED.get(k, k): inner(m, v) for k, v in given.items() if k not in NOT_IN_TORCH}


def _kept(held: list[Value], beside: list[Value]) -> str | None:
    """The dtype that all arrays have, and that what is beside them, such as limits, leaves as it is."""
    dtypes = {v.dtype for v in [*held, *beside] if isinstance(v, Tensor)}
    if not all(isinstance(v, Tensor | Const | Tup | Obj) or is_number(v) for v in beside):
        return None
    if len(dtypes) > 1 or (any(map(is_float, beside)) and not dtypes <= FLOATS | HALVES):
        return None
    return next(iter(dtypes), None)


def _mapped(name: str, torch_name: str, dtype_at: int | None = None) -> None:
    """A function that makes of arrays what torch's makes of tensors; `dtype_at` is the place of its dtype."""

    @function(f"numpy.{name}")
    def model(m: Machine, call: Call) -> Value:
        args = [inner(m, a) for a in call.args[:dtype_at]]
        first = args[0] if args else NONE
        held = containers.items_of(m, first) if isinstance(first, Obj) else [first]
        torch_model = FUNCTIONS.get(torch_name)
        otherwise = call.open or len(call.args) > len(args) + 1 or OTHERWISE & set(call.kwargs)
        if otherwise or not held or not all(isinstance(h, Tensor) for h in held):
            return some(m, "an array of something unknown")
        if torch_model is None:
            return some(m, f"what {name}() gives")
        kwargs = _in_torch(m, call.kwargs)
        made = torch_model(m, Call(call.node, args, kwargs, call.arg_nodes[: len(args)]))
        kept = _kept(held, [*args[1:], *kwargs.values()])
        return as_array(m, made, named(m, call.arg(dtype_at, "dtype"), kept))


for _name, _torch_name in {
    "stack": "torch.stack", "concatenate": "torch.cat", "vstack": "torch.vstack", "hstack": "torch.hstack",
    "expand_dims": "torch.unsqueeze", "squeeze": "torch.squeeze", "clip": "torch.clamp", "tile": "torch.tile",
    "swapaxes": "torch.swapaxes", "moveaxis": "torch.movedim", "broadcast_to": "torch.broadcast_to",
    "reshape": "torch.reshape",
}.items():  # fmt: skip
    _mapped(_name, _torch_name)
for _name in ("zeros_like", "ones_like", "empty_like"):
    _mapped(_name, f"torch.{_name}", 1)


def _elementwise(name: str, torch_name: str) -> None:
    """A function of one array, element by element."""

    @function(f"numpy.{name}")
    def model(m: Machine, call: Call) -> Value:
        array = m.see(call.args[0]) if call.args else NONE
        if not is_array(array) or call.open or len(call.args) > 1 or call.kwargs:
            return some(m, f"what {name}() gives")
        made = FUNCTIONS[torch_name](m, Call(call.node, [as_tensor(m, array)], {}, call.arg_nodes))
        return as_array(m, made, open_dtype(made) or array_dtypes.if_float(dtype_of(m, array)))


for _name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
              "sqrt", "square", "abs", "absolute", "sign", "floor", "ceil", "negative", "reciprocal"):  # fmt: skip
    _elementwise(_name, f"torch.{_name}")
for _name, _torch_name in {"arcsin": "asin", "arccos": "acos", "arctan": "atan"}.items():
    _elementwise(_name, f"torch.{_torch_name}")


@function("numpy.full")
def _full(m: Machine, call: Call) -> Value:
    shape = size_arguments(m, Call(call.node, [m.see(call.arg(0, "shape") or NONE)]))
    dtype = named(m, call.arg(2, "dtype"), array_dtypes.of_numbers(m, call.arg(1, "fill_value") or NONE))
    return in_rows(m, call, None if call.open else shape, dtype)


@function("numpy.array", "numpy.asarray")
def _array(m: Machine, call: Call) -> Value:
    """Of nested lists of numbers, or a copy of an array."""

    def apply(value: Value) -> Value:
        if is_array(value):
            plain = not call.open and "order" not in call.kwargs
            strides = memory.kept(as_tensor(m, value)) if plain else None
            return new_array(m, shape_of(m, value), named(m, call.arg(1, "dtype"), dtype_of(m, value)), strides)
        if images.is_picture(value):
            shape, dtype = images.layout(m, value)
            return in_rows(m, call, shape, named(m, call.arg(1, "dtype"), dtype))
        if isinstance(value, Tensor):
            return of_tensor(m, call, value, named(m, call.arg(1, "dtype"), None))
        shape = literal(m, value)[0] if is_sequence(value) else None
        return in_rows(m, call, shape, named(m, call.arg(1, "dtype"), array_dtypes.of_numbers(m, value)))

    return lift(m, call.arg(0, "object", call.kwargs.get("a")) or NONE, apply)


@function("numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator")
def _generator(m: Machine, call: Call) -> Value:
    return opaque(m, GENERATOR)


SIZED = {
    "random": (0, 1, "torch.float64"),
    "standard_normal": (0, 1, "torch.float64"),
    "uniform": (2, None, "torch.float64"),
    "normal": (2, None, "torch.float64"),
    "integers": (2, 3, "torch.int64"),
    "poisson": (1, None, "torch.int64"),
    "randint": (2, 3, None),
}
"""Methods of a generator: the places of their arguments `size` and `dtype`, and the dtype where none is asked for.

That of `randint` is another one on other systems.
"""


def _sized(name: str, place: int, dtype_at: int | None, usual: str | None) -> None:
    @method(GENERATOR, name)
    def model(m: Machine, call: Call, receiver: Value) -> Value:
        given = call.arg(place, "size")
        if given is None or m.see(given) == NONE or call.open:
            return some(m, "a number or an array")
        dtype = usual if dtype_at is None else named(m, call.arg(dtype_at, "dtype"), usual)
        return in_rows(m, call, size_arguments(m, Call(call.node, [m.see(given)])), dtype)


for _name, _places in SIZED.items():
    _sized(_name, *_places)


@method(GENERATOR, "rand", "randn")
def _by_sizes(m: Machine, call: Call, receiver: Value) -> Value:
    return in_rows(m, call, size_arguments(m, call), "torch.float64") if call.args else some(m, "a number")


@function("numpy.random.randint")
def _randint(m: Machine, call: Call) -> Value:
    given = call.arg(2, "size")
    if given is None or m.see(given) == NONE:
        return some(m, "a number or an array")
    dtype = named(m, call.arg(3, "dtype"), None)
    return in_rows(m, call, size_arguments(m, Call(call.node, [m.see(given)])), dtype)


@function("numpy.arange")
def _arange(m: Machine, call: Call) -> Value:
    numbers = [m.see(a) for a in call.args[:3]]
    dtype = named(m, call.arg(3, "dtype"), array_dtypes.of_numbers(m, Tup(tuple(numbers))))
    counted = dtype == "torch.int64" and not call.open and not set(call.kwargs) - {"dtype"}
    made = FUNCTIONS["torch.arange"](m, Call(call.node, numbers, {}, call.arg_nodes)) if counted else NONE
    shape = made.shape if isinstance(made, Tensor) else None
    return in_rows(m, call, shape, None if call.open or set(call.kwargs) - {"dtype"} else dtype)


@function("numpy.linspace")
def _linspace(m: Machine, call: Call) -> Value:
    if call.open or set(call.kwargs) & {"retstep", "axis"} or len(call.args) > 3:
        return some(m, "what linspace() gives")
    ends = [m.see(call.arg(i, name) or NONE) for i, name in enumerate(("start", "stop"))]
    shape = size_arguments(m, Call(call.node, [m.see(call.arg(2, "num") or Const(50))]))
    plain = all(is_number(end) for end in ends)
    return in_rows(m, call, shape if plain else None, named(m, call.kwargs.get("dtype"), "torch.float64"))


@function("numpy.loadtxt", "numpy.fromfile", "numpy.frombuffer")
def _read(m: Machine, call: Call) -> Value:
    return new_array(m, None, None if call.open else named(m, call.arg(1, "dtype"), "torch.float64"))


# ---------------------------------------------------------------- methods


def _as_method(name: str, torch_name: str) -> None:
    @method(CLASS.name, name)
    def model(m: Machine, call: Call, receiver: Value) -> Value:
        if OTHERWISE & set(call.kwargs):
            return some(m, "an array of something unknown")
        array = as_tensor(m, receiver)
        site = Call(call.node, [inner(m, a) for a in call.args], _in_torch(m, call.kwargs), call.arg_nodes, call.open)
        made = METHODS["Tensor", torch_name](m, site, array)
        return as_array(m, made, named(m, call.kwargs.get("dtype"), _kept([array], site.values)))


for _name, _torch_name in {
    "squeeze": "squeeze", "flatten": "flatten", "ravel": "flatten", "swapaxes": "swapaxes", "clip": "clamp",
    "reshape": "reshape",
}.items():  # fmt: skip
    _as_method(_name, _torch_name)


@method(CLASS.name, "transpose")
def _transpose(m: Machine, call: Call, receiver: Value) -> Value:
    if not call.args:
        return _reversed(m, call.node, receiver)
    made = METHODS["Tensor", "permute"](m, Call(call.node, call.args, {}, call.arg_nodes), as_tensor(m, receiver))
    return as_array(m, made, dtype_of(m, receiver))


@function("numpy.transpose")
def _transposed(m: Machine, call: Call) -> Value:
    array, axes = m.see(call.arg(0, "a") or NONE), call.arg(1, "axes")
    if not is_array(array):
        return some(m, "an array of something unknown")
    return _transpose(m, Call(call.node, [] if axes is None else [axes]), array)


@attribute(CLASS.name, "T")
def _reversed(m: Machine, node: nodes.Node, value: Value) -> Value:
    shape, strides = shape_of(m, value), strides_of(m, value)
    return new_array(m, None if shape is None else shape[::-1], dtype_of(m, value), strides and strides[::-1])


@attribute(CLASS.name, "ndim", "size")
def _count(m: Machine, node: nodes.Node, value: Value) -> Value:
    name = getattr(node, "name", "")
    if name == "ndim":
        shape = shape_of(m, value)
        return some(m, "the rank of an array") if shape is None else Const(len(shape))
    return METHODS["Tensor", "numel"](m, Call(node, []), as_tensor(m, value))


@method(CLASS.name, "__len__")
def _length(m: Machine, call: Call, receiver: Value) -> Value:
    shape = shape_of(m, receiver)
    return shape[0] if shape else some(m, "the length of an array")


@method(CLASS.name, "__getitem__")
def _item(m: Machine, call: Call, receiver: Value) -> Value:
    """A part that is cut out by numbers, slices, `None` and `...`; of others, the dtype where they leave dimensions."""
    key = m.see(call.args[0])
    keys = [m.see(k) for k in key.items] if isinstance(key, Tup) else [key]
    plain = all(isinstance(k, Const | SliceValue) and not isinstance(getattr(k, "value", 0), bool | str) for k in keys)
    shape = shape_of(m, receiver)
    made = m.see(METHODS["Tensor", "__getitem__"](m, call, as_tensor(m, receiver))) if plain and shape else None
    if isinstance(made, Tensor) and made.shape:
        return as_array(m, made, dtype_of(m, receiver))
    if any(isinstance(k, SliceValue) for k in keys) or (len(shape or ()) > 1 and not isinstance(key, Tup)):
        return new_array(m, None, dtype_of(m, receiver))
    return some(m, "a part of an array")


def calculated(m: Machine, op: str, a: Value, b: Value) -> Value:
    """Arithmetic with an array: the sizes of both, broadcast."""
    made = m.see(elementwise(m, [as_tensor(m, v) if is_array(v) else v for v in (a, b)]))
    if not isinstance(made, Tensor):
        return some(m, "arithmetic with an array")
    return as_array(m, made, open_dtype(made) or array_dtypes.of_operation(m, op, a, b))


@operator(CLASS.name)
def _operator(m: Machine, node: nodes.Node, op: str, a: Value, b: Value | None) -> Value | None:
    return None if b is None or isinstance(a, Tensor) or isinstance(b, Tensor) else calculated(m, op, a, b)
