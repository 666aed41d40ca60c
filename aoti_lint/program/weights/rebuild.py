"""What the functions that torch names in a pickle of tensors would make, without calling them.

Their arguments are those of torch/_utils.py and torch/_tensor.py (`_reduce_ex_internal`), read in 2.4 to 2.13; the
persistent ids are those of torch/serialization.py (`_save`).
"""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.program.dtypes import ITEM_BYTES
from aoti_lint.program.weights.dtypes import ALIASES, STORAGES
from aoti_lint.program.weights.naming import quoted
from aoti_lint.program.weights.values import Device, Dict, Global, Opaque, SavedTensor, Storage, Value

MAX_DIMS = 64
LAYOUTS = ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged", "_mkldnn")

Arguments = tuple[Value, ...]


def called(function: Global, arguments: Arguments) -> Value:
    """The result of `function(*arguments)`: a description of it, Opaque if it is nothing a state dict needs."""
    return _called(function, arguments, nested=False)


def stored(identity: Value) -> Value:
    """What a persistent id stands for: ("storage", class, key, location, count)."""
    if not isinstance(identity, tuple) or len(identity) != 5 or identity[0] != "storage":
        return Opaque("an object outside the pickle")
    _, kind, key, location, count = identity
    dtype = STORAGES.get(kind.name) if isinstance(kind, Global) and kind.module.split(".")[0] == "torch" else None
    if dtype is None or not isinstance(key, str) or not isinstance(location, str) or not _is_size(count):
        return Opaque("a storage of an unknown kind")
    return Storage(dtype, key, location, count)


def _called(function: Global, arguments: Arguments, *, nested: bool) -> Value:
    made: Value = None
    if function.module == "torch._utils" and function.name in _REBUILDS:
        made = _REBUILDS[function.name](arguments)
    elif function.module == "torch._tensor" and function.name in ("_rebuild_from_type", "_rebuild_from_type_v2"):
        made = None if nested else _of_class(arguments)
    elif function.module == "collections" and function.name in ("OrderedDict", "defaultdict"):
        made = _dict(arguments)
    elif function.module == "torch" and function.name == "Size":
        made = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else None
    elif function.module == "torch" and function.name == "device":
        made = _device(arguments)
    elif function.path in ("torch.serialization._get_layout", "torch.jit._pickle.restore_type_tag"):
        made = arguments[0] if arguments else None
    elif function.path == "torch.nn.parameter.Parameter":
        made = _parameter(arguments)
    return Opaque(f"an object of {function.path}") if made is None else made


def _dict(arguments: Arguments) -> Dict | None:
    """An OrderedDict is empty, or made of a list of pairs (protocol 0 and 1 of old Pythons)."""
    made = Dict()
    if len(arguments) == 1 and isinstance(arguments[0], list):
        for pair in arguments[0]:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                return None
            made.put(pair[0], pair[1])
    return made


def _device(arguments: Arguments) -> Device | None:
    if len(arguments) == 2 and isinstance(arguments[0], str) and isinstance(arguments[1], int):
        return Device(f"{arguments[0]}:{arguments[1]}")
    return Device(arguments[0]) if len(arguments) == 1 and isinstance(arguments[0], str) else None


def _is_size(value: Value) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _sizes(value: Value) -> tuple[int, ...] | None:
    if not isinstance(value, (tuple, list)) or len(value) > MAX_DIMS:
        return None
    found = tuple(item for item in value if type(item) is int and 0 <= item < 2**63)
    return found if len(found) == len(value) else None


def _dtype(value: Value) -> str | None:
    if not isinstance(value, Global) or value.module != "torch":
        return None
    name = ALIASES.get(value.name, value.name)
    return name if name in ITEM_BYTES else None


def _located(value: Value) -> str | None:
    """A device that is written as text or as a `torch.device`."""
    return value if isinstance(value, str) else value.text if isinstance(value, Device) else None


def _strided(arguments: Arguments, dtype: str | None = None) -> SavedTensor | None:
    """storage, offset, size, stride, requires_grad, …; `dtype` if the storage does not have it."""
    if len(arguments) < 4:
        return None
    storage, offset, shape, strides = arguments[0], arguments[1], _sizes(arguments[2]), _sizes(arguments[3])
    if not isinstance(storage, Storage) or not _is_size(offset) or shape is None or strides is None:
        return None
    if len(shape) != len(strides):
        return None
    assert isinstance(offset, int)
    grad = len(arguments) > 4 and arguments[4] is True
    return SavedTensor(dtype or storage.dtype, shape, strides, storage.location, offset, storage, requires_grad=grad)


def _tensor_v2(arguments: Arguments) -> SavedTensor | None:
    return _strided(arguments)


def _tensor_v3(arguments: Arguments) -> SavedTensor | None:
    """… requires_grad, backward_hooks, dtype, metadata; its storage counts bytes."""
    dtype = _dtype(arguments[6]) if len(arguments) > 6 else None
    return _strided(arguments, dtype) if dtype else None


def _quantised(arguments: Arguments) -> SavedTensor | None:
    made = _strided(arguments)
    return replace(made, requires_grad=False) if made else None


def _parameter(arguments: Arguments) -> SavedTensor | None:
    """data, requires_grad, backward_hooks, state."""
    if not arguments or not isinstance(arguments[0], SavedTensor):
        return None
    of_class = arguments[0].what.partition(" of ")[2]
    grad = len(arguments) > 1 and arguments[1] is True
    return replace(arguments[0], requires_grad=grad, what=f"parameter of {of_class}" if of_class else "parameter")


def _meta(arguments: Arguments) -> SavedTensor | None:
    """dtype, size, stride, requires_grad."""
    if len(arguments) < 4:
        return None
    dtype, shape, strides = _dtype(arguments[0]), _sizes(arguments[1]), _sizes(arguments[2])
    if dtype is None or shape is None or strides is None or len(shape) != len(strides):
        return None
    return SavedTensor(dtype, shape, strides, "meta", requires_grad=arguments[3] is True)


def _sparse(arguments: Arguments) -> SavedTensor | None:
    """layout, (indices, values, size, is_coalesced) for COO, (indices, indices, values, size) for the others."""
    if len(arguments) != 2 or not isinstance(arguments[0], str) or not isinstance(arguments[1], tuple):
        return None
    layout, data = arguments[0].removeprefix("torch."), arguments[1]
    if layout not in LAYOUTS or len(data) not in (3, 4):
        return None
    values, size = (data[1], data[2]) if layout == "sparse_coo" else (data[2], data[-1])
    shape = _sizes(size)
    if not isinstance(values, SavedTensor) or shape is None:
        return None
    return SavedTensor(values.dtype, shape, None, values.device, layout=layout)


def _on_device(arguments: Arguments) -> SavedTensor | None:
    """data, dtype, device, requires_grad: a tensor of a backend without storages, saved from a copy on the CPU."""
    if len(arguments) < 4 or not isinstance(arguments[0], SavedTensor):
        return None
    dtype, device = _dtype(arguments[1]), _located(arguments[2])
    if dtype is None or device is None:
        return None
    return replace(arguments[0], dtype=dtype, device=device, requires_grad=arguments[3] is True)


def _wrapper(arguments: Arguments) -> SavedTensor | None:
    """class, dtype, size, stride, storage_offset, layout, device, requires_grad: a tensor that only wraps others."""
    if len(arguments) < 8 or not isinstance(arguments[0], Global):
        return None
    dtype, shape, strides, device = (
        _dtype(arguments[1]), _sizes(arguments[2]), _sizes(arguments[3]), _located(arguments[6])
    )  # fmt: skip
    if dtype is None or shape is None:
        return None
    layout = arguments[5].removeprefix("torch.") if isinstance(arguments[5], str) else "strided"
    if layout not in LAYOUTS or (strides is not None and len(strides) != len(shape)):
        return None
    return SavedTensor(dtype, shape, strides, device, layout=layout, requires_grad=arguments[7] is True,
                       what=f"tensor of {quoted(arguments[0].path)[1:-1]}")  # fmt: skip


def _of_class(arguments: Arguments) -> Value:
    """function, class, its arguments, state: what the function makes, as that class (or with attributes of its own)."""
    if len(arguments) != 4:
        return None
    function, kind, inner, state = arguments
    if not isinstance(function, Global) or not isinstance(kind, Global) or not isinstance(inner, tuple):
        return None
    made = _called(function, inner, nested=True)
    if not isinstance(made, SavedTensor) or kind.path in ("torch.Tensor", "torch._tensor.Tensor"):
        return made
    if kind.path == "torch.nn.parameter.Parameter":
        return replace(made, what="parameter")
    # What makes a parameter of a tensor of another class (torch/nn/parameter.py).
    base = "parameter" if isinstance(state, Dict) and state.items.get("_is_param") is True else "tensor"
    return replace(made, what=f"{base} of {quoted(kind.path)[1:-1]}")


_REBUILDS = {
    "_rebuild_tensor": _tensor_v2,
    "_rebuild_tensor_v2": _tensor_v2,
    "_rebuild_tensor_v3": _tensor_v3,
    "_rebuild_qtensor": _quantised,
    "_rebuild_parameter": _parameter,
    "_rebuild_parameter_with_state": _parameter,
    "_rebuild_meta_tensor_no_storage": _meta,
    "_rebuild_sparse_tensor": _sparse,
    "_rebuild_device_tensor_from_cpu_tensor": _on_device,
    "_rebuild_wrapper_subclass": _wrapper,
}


def needed_bytes(tensor: SavedTensor) -> int:
    """How much of its storage a strided tensor reaches into, from the start of the storage."""
    assert tensor.strides is not None
    if 0 in tensor.shape:
        return 0
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.strides, strict=True))
    return (tensor.offset + last + 1) * ITEM_BYTES[tensor.dtype]
