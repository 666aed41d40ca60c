"""What every tensor has: sizes, dtype and device, and the moves, casts and copies that give another one."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language import comparisons
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.effects import backward, gradients
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import METHODS, Method, attribute, function, method, operator
from aoti_lint.models.tensors import arrays, copies, memory
from aoti_lint.models.tensors.operations.arithmetic import compared, elementwise
from aoti_lint.models.tensors.operations.changes import changed_in_place, set_attribute
from aoti_lint.models.tensors.operations.products import matmul
from aoti_lint.models.tensors.operations.views import IN_PLACE
from aoti_lint.models.tensors.sizes import dim_of, product, size_arguments, some
from aoti_lint.models.tensors.tensor_base import (
    DTYPES,
    OPEN,
    derived,
    dtype_name,
    is_dtype,
    itself,
    op,
    operand,
    undefined,
)
from aoti_lint.models.torch import devices, gpus
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.devices import MoveLost
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, PathValue, Ref, Sym, Text, Tup, Value

__all__ = ["compared", "elementwise", "matmul", "set_attribute"]


# ---------------------------------------------------------------- attributes


@attribute("Tensor", "shape")
def shape_value(m: Machine, node: nodes.Node | None, value: Value) -> Value:
    assert isinstance(value, Tensor)
    if value.shape is None:
        return undefined(f"<{value.key}>.shape", "the shape of a tensor")
    return Tup(value.shape)


@attribute("Tensor", "ndim")
def rank_value(m: Machine, node: nodes.Node | None, value: Value) -> Value:
    assert isinstance(value, Tensor)
    return undefined(f"<{value.key}>.ndim", "the rank of a tensor") if value.shape is None else Const(len(value.shape))


@attribute("Tensor", "dtype")
def _dtype(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Tensor)
    return undefined(f"<{value.key}>.dtype", "the dtype of a tensor") if value.dtype is None else Ref(value.dtype)


@attribute("Tensor", "device")
def _device(m: Machine, node: nodes.Node, value: Value) -> Value:
    """A device, also where an option says it as a text."""
    assert isinstance(value, Tensor)
    return devices.as_device(m, m.see(value.device))


def _is_on(kind: str) -> None:
    @attribute("Tensor", f"is_{kind}")
    def model(m: Machine, node: nodes.Node, value: Value) -> Value:
        assert isinstance(value, Tensor)

        def apply(device: Value) -> Value:
            if isinstance(device, Device):
                return Const(device.type == kind)
            return undefined(f"{ident(device)}.is_{kind}", "the device of a tensor")

        return lift(m, value.device, apply)


for _kind in ("cuda", "cpu", "xpu", "mps", "meta", "xla", "ipu"):
    _is_on(_kind)


@attribute("Tensor", "data", "real", "imag")
def _data(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Tensor)
    return derived(m, value, dtype=value.dtype if value.dtype and "complex" not in value.dtype else None)


@attribute("Tensor", "grad", "grad_fn", "requires_grad", "is_leaf", "layout", "names", "itemsize", "nbytes", "_version",
           "output_nr", "is_sparse", "is_quantized", "is_nested", "retains_grad", "_base", "is_mkldnn")  # fmt: skip
def _unfollowed(m: Machine, node: nodes.Node, value: Value) -> Value:
    return some(m, "an attribute of a tensor that we do not follow")


# ---------------------------------------------------------------- questions


@op("size", "m")
def _size(m: Machine, call: Call, x: Tensor) -> Value:
    given = operand(m, call, 0, "dim")
    if given == NONE:
        return shape_value(m, call.node, x)
    if x.shape is not None:
        dim = dim_of(given, len(x.shape))
        if dim is not None and x.shape:
            return x.shape[dim]
        if m.root.watch is not None:
            m.root.watch.not_there(Tup(x.shape), given)
        return undefined(f"{x.key}.size({ident(given)})", "a size at an unknown place")
    return undefined(f"<<{x.key}>.shape>[{ident(given)}]", "a size of a tensor of unknown rank")


@op("is_contiguous", "m")
def _is_contiguous(m: Machine, call: Call, x: Tensor) -> Value:
    asked = m.see(call.arg(0, "memory_format") or Ref("torch.contiguous_format"))
    name = asked.name if isinstance(asked, Ref) else ""
    is_known = name == "torch.contiguous_format" or name in memory.LAST
    known = memory.is_contiguous(x, memory.LAST.get(name)) if is_known else None
    return undefined(f"{x.key}.is_contiguous({ident(asked)})", "what a tensor holds") if known is None else Const(known)


@op("dim ndimension", "m")
def _rank(m: Machine, call: Call, x: Tensor) -> Value:
    return rank_value(m, call.node, x)


@op("numel nelement", "mt")
def _numel(m: Machine, call: Call, x: Tensor) -> Value:
    return undefined(f"<{x.key}>.numel", "the number of elements") if x.shape is None else product(m, x.shape)


@method("tuple", "numel")
def _size_numel(m: Machine, call: Call, receiver: Value) -> Value:
    """`x.shape.numel()`."""
    return product(m, receiver.items) if isinstance(receiver, Tup) else some(m, "not a size")


@op("is_floating_point", "mt")
def _is_floating_point(m: Machine, call: Call, x: Tensor) -> Value:
    return some(m, "an unknown dtype") if x.dtype is None or x.dtype.startswith(OPEN) else Const("float" in x.dtype)


@function("torch.is_tensor")
def _is_tensor(m: Machine, call: Call) -> Value:
    def apply(value: Value) -> Value:
        if isinstance(value, Tensor):
            return TRUE
        if isinstance(value, Const | Tup | Text | PathValue | Device) or (
            isinstance(value, Obj) and (value.kind in ("list", "dict", "set", "enum") or is_module(m, value))
        ):
            return FALSE
        return undefined(f"is_tensor({ident(value)})", "something unknown")

    return lift(m, call.arg(0, "obj") or NONE, apply)


@op("item tolist stride storage_offset element_size data_ptr get_device equal allclose is_complex "
    "is_same_size is_set_to is_shared is_pinned is_inference is_signed storage untyped_storage", "m")  # fmt: skip
def _answer(m: Machine, call: Call, x: Tensor) -> Value:
    return m.unknown(call.node, "what a tensor holds is not followed")


@method("Tensor", "backward", "retain_grad")
def _nothing(m: Machine, call: Call, receiver: Value) -> Value:
    return NONE


# ---------------------------------------------------------------- moves and casts


@method("Tensor", "to")
def _to(m: Machine, call: Call, receiver: Value) -> Value:
    """`.to(device)`, `.to(dtype)`, `.to(device, dtype)`, `.to(other)` and their keywords."""
    assert isinstance(receiver, Tensor)
    devices.tell(m, call, 0)
    first = m.see(call.kwargs.get("device") or call.kwargs.get("other") or (call.args[0] if call.args else NONE))
    device = lift(m, first, lambda v: _target(m, receiver, v))
    dtype: str | None = receiver.dtype
    for value in (first, *call.args[1:2], call.kwargs.get("dtype", NONE)):
        dtype = _cast(m, dtype, m.see(value), value is first)
    if call.open:
        dtype = None
        if first == NONE or all(is_dtype(leaf) for _, leaf in leaves(first)):
            device = some(m, "there may be a device among unknown arguments")
    _tell_move(m, call, receiver, device)
    span, strides = _place_of(m, call, receiver, device), memory.copied(m, call, receiver)
    return derived(m, receiver, device=device, dtype=dtype, span=span, strides=strides)


def _tell_move(m: Machine, call: Call, x: Tensor, device: Value) -> None:
    """Tell of a move to a GPU, and of one whose result nobody takes."""
    gpus.note(m, call.node, device)
    if call.discarded and device != x.device:
        m.emit(MoveLost, call.node, tensor=x, device=device)


def _target(m: Machine, x: Tensor, value: Value) -> Value:
    """The device after `.to(value)`."""
    usual = value.default if isinstance(value, Sym) and value.default is not None else value
    if value == NONE or is_dtype(usual):
        return x.device
    return devices.as_device(m, value)


def _cast(m: Machine, before: str | None, value: Value, may_be_device: bool) -> str | None:
    """The dtype after an argument of `.to`."""
    named = dtype_name(m, value)
    if named is not None:
        return named
    plain = all(leaf == NONE or _is_device(leaf) or isinstance(leaf, Const) for _, leaf in leaves(value))
    if isinstance(value, Tensor):
        return value.dtype
    return before if plain and (may_be_device or value == NONE or isinstance(value, Const)) else None


def _is_device(value: Value) -> bool:
    if isinstance(value, Sym) and value.default is not None:
        return _is_device(value.default)
    return isinstance(value, Device) or (isinstance(value, Const) and isinstance(value.value, str | int))


def _place_of(m: Machine, call: Call, x: Tensor, device: Value) -> Span | None:
    """Where the device of the result was chosen."""
    return x.span if device == x.device and x.span is not None else m.span(call.node)


def _mover(name: str) -> None:
    @method("Tensor", name)
    def moved(m: Machine, call: Call, receiver: Value) -> Value:
        assert isinstance(receiver, Tensor)
        device = devices.move_target(m, call, name)
        _tell_move(m, call, receiver, device)
        return derived(m, receiver, device=device, span=m.span(call.node), strides=memory.copied(m, call, receiver))


for _name in devices.MOVES:
    _mover(_name)


def _caster(name: str) -> None:
    @method("Tensor", name)
    def cast(m: Machine, call: Call, receiver: Value) -> Value:
        assert isinstance(receiver, Tensor)
        return derived(m, receiver, dtype=DTYPES[f"torch.{name}"], strides=memory.copied(m, call, receiver))


for _name in ("float", "half", "double", "int", "long", "short", "bool", "bfloat16", "cfloat", "cdouble"):
    _caster(_name)


@op("byte char", "m")
def _small(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=None)


@op("type", "m")
def _type(m: Machine, call: Call, x: Tensor) -> Value:
    """With a dtype a cast; the name of a legacy type also moves."""
    given = operand(m, call, 0, "dtype")
    if given == NONE:
        return some(m, "the name of a type")
    if is_dtype(given):
        return derived(m, x, dtype=dtype_name(m, given))
    return derived(m, x, dtype=None, device=some(m, "the device of a legacy type"))


@op("type_as", "m")
def _type_as(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(other: Value) -> Value:
        if isinstance(other, Tensor):
            return derived(m, x, dtype=other.dtype, device=other.device, span=m.span(call.node))
        return derived(m, x, dtype=None, device=some(m, "the type of something unknown"))

    return lift(m, operand(m, call, 0, "other"), apply)


@op("pin_memory positive conj resolve_conj resolve_neg coalesce to_dense", "mt", loose=True)
def _copy(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x)


@op("detach", "mt", loose=True)
def _same_memory(m: Machine, call: Call, x: Tensor) -> Value:
    return copies.noted(m, derived(m, x, strides=x.strides), x, is_new=True)


@op("clone", "mt", loose=True)
def _clone(m: Machine, call: Call, x: Tensor) -> Value:
    return copies.noted(m, derived(m, x, strides=memory.copied(m, call, x)), x, is_new=True)


@op("contiguous", "mt", loose=True)
def _contiguous(m: Machine, call: Call, x: Tensor) -> Value:
    asked = call.arg(0, "memory_format") is not None
    made = derived(m, x, strides=memory.copied(m, call, x, 0) if asked else memory.dense(x.shape))
    return copies.noted(m, made, x, is_new=False)


@method("Tensor", "requires_grad_")
def _want_gradient(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Tensor) and call.arg(0, "requires_grad") != FALSE:
        gradients.want(m, receiver)
    else:
        backward.freeze(m)
    return receiver


for _name in ("share_memory_", "detach_", "retain_grad_", "coalesce_"):
    method("Tensor", _name)(itself)
for _name in ("zero_", "fill_", "normal_", "uniform_", "random_", "exponential_", "geometric_", "cauchy_",
              "log_normal_", "copy_", "index_copy_", "index_add_", "index_fill_", "index_put_", "put_", "scatter_",
              "scatter_add_", "scatter_reduce_", "masked_scatter_", "fill_diagonal_", "map_", "apply_"):  # fmt: skip
    method("Tensor", _name)(itself)


@op("numpy", "m")
def _numpy(m: Machine, call: Call, x: Tensor) -> Value:
    return arrays.of_tensor(m, call, x, x.dtype, x.strides)


# ---------------------------------------------------------------- changes of the tensor itself


@method("Tensor", "resize_")
def _resize(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Tensor)
    return changed_in_place(m, receiver, replace(receiver, shape=size_arguments(m, call), strides=None))


def _reshaping(name: str, model: Method | None) -> None:
    @method("Tensor", f"{name}_")
    def in_place(m: Machine, call: Call, receiver: Value) -> Value:
        assert isinstance(receiver, Tensor)
        other = model(m, call, receiver) if model is not None else None
        if m.root.watch is not None:
            m.root.watch.makers[receiver.key] = name
        return changed_in_place(m, receiver, replace(receiver, shape=getattr(other, "shape", None), strides=None))


for _name in IN_PLACE:
    _reshaping(_name, METHODS["Tensor", _name])
for _name in ("set", "resize_as", "rename", "sparse_resize"):
    _reshaping(_name, None)


@operator("Tensor")
def _operator(m: Machine, node: nodes.Node, op: str, a: Value, b: Value | None) -> Value:
    """Arithmetic and comparisons element by element, and products of matrices."""
    m.root.site = node
    watch, given = m.root.watch, [a] if b is None else [a, b]

    def calculated() -> Value:
        if b is None:
            return a if op == "+" or not isinstance(a, Tensor) else derived(m, a)
        if op == "@":
            return matmul(m, a, b)
        if op in comparisons.COMPARE:
            return compared(m, given)
        return elementwise(m, given, of_integers=op not in ("/", "**"), divides=op == "/")

    if watch is None:
        return calculated()
    return watch.combined(m, node, op, given, calculated() if b is None else watch.operated(m, node, calculated))
