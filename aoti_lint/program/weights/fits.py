"""Whether one tensor of a file fits the place a package has for it.

On the CPU `load_constants` compares nothing: it copies the whole storage of the tensor, from the tensor's first element
on, to the constant's place, and takes strides and offset from the tensor (`update_constant_buffer` in
torch/csrc/inductor/aoti_runtime/model_container.h). What came of each case with torch 2.13.0 is recorded in
tests/program/weights/loading.json; `check_full_update` made no difference to any case here.
"""

from __future__ import annotations

from math import prod

from aoti_lint.program.dtypes import ITEM_BYTES
from aoti_lint.program.facts import Tensor, Weight
from aoti_lint.program.weights.file import Entry
from aoti_lint.program.weights.naming import quoted
from aoti_lint.program.weights.problem import Kind, Outcome, WeightProblem
from aoti_lint.quoting.python import string

COPY = "state = {name: value.clone(memory_format=torch.contiguous_format) for name, value in state.items()}"


def misfit(weight: Weight, entry: Entry) -> WeightProblem | None:
    """The worst way in which `entry` does not fit, or None."""
    if entry.tensor is None:
        text = f"is {entry.what} in the file, and load_constants takes tensors only: it raises"
        return _problem(weight, "not a tensor", "raises", text, "Save the tensor it should be")
    if weight.tensor is None:
        return None
    wanted, found = weight.tensor, entry.tensor
    return (
        _layout(weight, entry, found)
        or _shape(weight, wanted, found)
        or _dtype(weight, wanted, found)
        or _device(weight, wanted, found)
        or _strides(weight, wanted, found)
        or _view(weight, entry)
    )


def _problem(weight: Weight, kind: Kind, outcome: Outcome, text: str, fix: str) -> WeightProblem:
    return WeightProblem(name=weight.name, kind=kind, outcome=outcome, message=f"{quoted(weight.name)} {text}", fix=fix)


def _layout(weight: Weight, entry: Entry, found: Tensor) -> WeightProblem | None:
    if found.layout != "strided":
        text = (
            f"is {found.layout} in the file; load_constants copies from its address, and the process dies (signal 11)"
        )
        return _problem(
            weight, "layout", "crash", text, f"state[{string(entry.name)}] = state[{string(entry.name)}].to_dense()"
        )
    if " of " in entry.what and entry.storage is None:
        text = f"is a {entry.what} in the file: load_constants knows plain tensors only, and would copy its raw memory"
        return _problem(
            weight,
            "layout",
            "crash",
            text,
            "Save the weights as plain tensors, or compile the model that has this class",
        )
    return None


def _shape(weight: Weight, wanted: Tensor, found: Tensor) -> WeightProblem | None:
    if len(wanted.shape) == len(found.shape):
        pairs = zip(wanted.shape, found.shape, strict=True)
        if all(isinstance(a, str) or isinstance(b, str) or a == b for a, b in pairs):
            return None
    text = f"has shape {shown(found)} in the file, and the package was compiled for {shown(wanted)}"
    need, have = _count(wanted), _count(found)
    outcome: Outcome = "silent"
    if need is None or have is None:
        text += "; load_constants does not look at shapes"
    elif have < need:
        text += (
            "; load_constants does not look at shapes: it copies what is there, and the rest keeps what was in memory"
        )
    elif have > need:
        text += (
            "; load_constants does not look at shapes: it writes on past its place, over other weights, or dies there"
        )
        outcome = "crash"
    else:
        text += "; load_constants takes it without a word, its elements in the order they lie"
    return _problem(
        weight, "shape", outcome, text, "Use the weights of the model that was compiled, or compile this one"
    )


def _dtype(weight: Weight, wanted: Tensor, found: Tensor) -> WeightProblem | None:
    if wanted.dtype == found.dtype:
        return None
    text = (
        f"is {found.dtype} in the file, and the package was compiled for {wanted.dtype}; load_constants copies bytes "
    )
    need, have = ITEM_BYTES.get(wanted.dtype, 0), ITEM_BYTES.get(found.dtype, 0)
    text += f"and reads them as {wanted.dtype}: wrong results without a word"
    if have > need:
        text += ", and more bytes than fit are written over other weights"
    fix = f"state[{string(weight.name)}] = state[{string(weight.name)}].to(torch.{wanted.dtype})"
    return _problem(weight, "dtype", "crash" if have > need else "silent", text, fix)


def _device(weight: Weight, wanted: Tensor, found: Tensor) -> WeightProblem | None:
    need, have = _device_type(wanted), _device_type(found)
    if have == "meta":
        text = "is on the meta device in the file: it has a shape but no values, and load_constants raises"
        return _problem(weight, "device", "raises", text, "Save the model again with its weights materialised")
    if need is None or have is None or need == have:
        return None
    text = (
        f"was saved from {found.device}, and the package wants it on {need}; load_constants compares devices and raises"
    )
    return _problem(weight, "device", "raises", text, f'state = torch.load(file, map_location="{need}")')


def _strides(weight: Weight, wanted: Tensor, found: Tensor) -> WeightProblem | None:
    if found.strides is None or not _numbers(found.shape) or 0 in found.shape:
        return None
    need = wanted.strides or _contiguous(found.shape)
    sizes = zip(found.shape, need, found.strides, strict=False)
    if len(need) != len(found.strides) or not _numbers(need) or all(size == 1 or a == b for size, a, b in sizes):
        return None
    dense = need == _contiguous(found.shape)
    text = (
        f"has strides {_tuple(found.strides)} in the file, and the package was compiled for {_tuple(need)}; most "
        "compiled code keeps to its own, so that elements are mixed up without a word"
    )
    other = f"Copy it into torch.empty_strided({_tuple(found.shape)}, {_tuple(need)}, dtype=torch.{found.dtype})"
    return _problem(weight, "strides", "silent", text, COPY if dense else other)


def _view(weight: Weight, entry: Entry) -> WeightProblem | None:
    if entry.storage_bytes is None or entry.bytes is None or not entry.bytes:
        return None
    if entry.offset == 0 and entry.storage_bytes <= entry.bytes:
        return None
    text = f"is a view of {entry.bytes} bytes in a storage of {entry.storage_bytes}, which load_constants copies whole"
    if entry.offset:
        text += f", counting the offset of {entry.offset} twice: wrong values without a word, or the process dies"
    else:
        text += ", over the weights that lie behind it"
    return _problem(weight, "view", "crash" if entry.offset else "silent", text, COPY)


def shown(tensor: Tensor) -> str:
    """Its shape, as Python writes it."""
    return _tuple(tensor.shape)


def _tuple(sizes: tuple[int | str, ...]) -> str:
    return "(" + ", ".join(map(str, sizes)) + (",)" if len(sizes) == 1 else ")")


def _numbers(sizes: tuple[int | str, ...]) -> bool:
    return not any(isinstance(size, str) for size in sizes)


def _count(tensor: Tensor) -> int | None:
    return prod(size for size in tensor.shape if isinstance(size, int)) if _numbers(tensor.shape) else None


def _contiguous(shape: tuple[int | str, ...]) -> tuple[int, ...]:
    sizes = [size for size in shape if isinstance(size, int)]
    return tuple(prod(max(size, 1) for size in sizes[at + 1 :]) for at in range(len(sizes)))


def _device_type(tensor: Tensor) -> str | None:
    return tensor.device.partition(":")[0] if tensor.device is not None else None
