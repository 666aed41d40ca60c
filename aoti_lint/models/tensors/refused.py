"""What operations on tensors refuse in the forward that an export runs: dimensions, sizes and dtypes that do not fit.

Products and additions of two tensors are not here, see `models.torch.mixing`. Only sizes that are all known count. Each
was exported on torch 2.13, with `strict=True` and without; where the same is taken by an export (`softmax(7)`, an index
of floats for `index_select`), it is not here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.language.flow import raised, unfit
from aoti_lint.language.flow.unfit import FLOATING
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import is_sequence, number, numbers, size_arguments, sizes_of
from aoti_lint.torch_api.refused import refusals
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, SliceValue, Value

FUNCTIONAL = "torch.nn.functional"
Check = Callable[[Machine, Call, Tensor, "list[int]"], str]
_CHECKS: dict[str, Check] = {}
"""What operations refuse of a tensor of these sizes, empty where they take it: by the last word of the name where the
arguments of function and method stand in one order, else by that of the function, or of the method behind a dot."""


def _check(*names: str) -> Callable[[Check], Check]:
    def add(check: Check) -> Check:
        _CHECKS.update(dict.fromkeys(names, check))
        return check

    return add


@hooks.given_in_forward.answers
def note(m: Machine, site: Call, name: str, is_method: bool) -> None:
    """Note what an operation refuses of its arguments; the tensor of a method is the first of them."""
    trace = m.root.trace
    if trace is None or trace.export is None or m.root.watch is not None or site.open:
        return
    owner, _, short = name.rpartition(".")
    if not is_method and owner not in ("torch", FUNCTIONAL):
        return
    first = m.see(site.args[0]) if site.args else m.see(site.kwargs.get("input", NONE))
    if is_sequence(first):
        if why := _joined(m, site, short, first):
            raised.note(m, site.node, "RuntimeError", why)
        return
    if not isinstance(first, Tensor) or first.shape is None:
        return
    rank = len(first.shape)
    table = refusals.of_method(short) if is_method else refusals.of_function(name)[1:]
    given = Call(site.node, site.args[1:], site.kwargs)
    for parameter, value in unfit.bound(table, given):
        if parameter.dimension or parameter.beyond:
            for one in map(m.see, containers.items_of(m, value) or () if is_sequence(m.see(value)) else (value,)):
                most = max(rank + parameter.beyond, 1)
                index = number(one)
                if index is not None and not -most <= index < most:
                    raised.note(m, site.node, "IndexError", f"`{short}` asks for dimension {index} of {rank}")
                    return
    sizes = numbers(m.see(one) for one in first.shape)
    check = _CHECKS.get(f".{short}" if is_method else name) or _CHECKS.get(short)
    if check is not None and sizes is not None and (why := check(m, given, first, sizes)):
        raised.note(m, site.node, "RuntimeError", why)


def _joined(m: Machine, site: Call, name: str, tensors: Value) -> str:
    """`cat` and `stack`: all sizes are the same, but for those of the dimension along which tensors are joined."""
    if name not in ("cat", "concat", "concatenate", "stack"):
        return ""
    shapes = [
        numbers(m.see(size) for size in one.shape)
        for one in map(m.see, containers.items_of(m, tensors) or ())
        if isinstance(one, Tensor) and one.shape is not None
    ]
    known = [one for one in shapes if one is not None and one != [0]]
    dim = number(m.see(site.arg(1, "dim") or Const(0)))
    if dim is None or len(known) < 2:
        return ""
    for other in known[1:]:
        if len(other) != len(known[0]):
            return f"`{name}` is given tensors with {len(known[0])} and {len(other)} dimensions"
        at = dim % len(other) if name != "stack" and other and -len(other) <= dim < len(other) else -1
        if any(a != b for i, (a, b) in enumerate(zip(known[0], other, strict=True)) if i != at):
            return f"`{name}` is given tensors of the sizes {_shown(known[0])} and {_shown(other)}"
    return ""


def _shown(sizes: list[int]) -> str:
    return f"({', '.join(map(str, sizes))})"


def _wanted(m: Machine, given: Call, *names: str) -> list[int] | None:
    shape = size_arguments(m, given, 0, *names)
    return None if shape is None else numbers(m.see(one) for one in shape)


@_check("reshape")
def _regrouped(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    wanted = _wanted(m, given, "size", "shape")
    if wanted is None or any(one < -1 for one in wanted) or 0 in (*wanted, *sizes):
        return ""
    free, rest = wanted.count(-1), prod(one for one in wanted if one != -1)
    if (prod(sizes) != rest) if not free else (free == 1 and prod(sizes) % rest):
        return f"{_shown(sizes)} are not as many elements as {_shown(wanted)}"
    return ""


@_check("view")
def _viewed(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    if why := _regrouped(m, given, tensor, sizes):
        return why
    wanted = _wanted(m, given, "size")
    strides = [one for one in tensor.strides or () if one is not None]
    if wanted is None or len(strides) != len(sizes) or wanted.count(-1) > 1 or not sizes or 0 in (*sizes, *wanted):
        return ""
    rest = prod(one for one in wanted if one != -1)
    if _has_inner_one(sizes) or _lies_so(sizes, strides, [prod(sizes) // rest if one == -1 else one for one in wanted]):
        return ""
    return f"the strides {_shown(strides)} of {_shown(sizes)} allow no view as {_shown(wanted)}; reshape copies"


def _has_inner_one(sizes: list[int]) -> bool:
    """Whether a size of 1 stands between others: a view across it is traced, and raises only where the program runs.

    `_collapse_view_helper` in `torch/_prims/__init__.py` compares the strides of neighbours.
    """
    large = [dim for dim, size in enumerate(sizes) if size != 1]
    return bool(large) and 1 in sizes[large[0] : large[-1]]


def _lies_so(sizes: list[int], strides: list[int], wanted: list[int]) -> bool:
    """Whether elements that lie so can be seen with other sizes (`computeStride`, `aten/src/ATen/TensorUtils.cpp`)."""
    at, base, own, seen = len(wanted) - 1, strides[-1], 1, 1
    for dim in reversed(range(len(sizes))):
        own *= sizes[dim]
        if dim and (sizes[dim - 1] == 1 or strides[dim - 1] == own * base):
            continue
        while at >= 0 and (seen < own or wanted[at] == 1):
            seen *= wanted[at]
            at -= 1
        if seen != own:
            return False
        if dim:
            base, own, seen = strides[dim - 1], 1, 1
    return at == -1


@_check("unflatten")
def _unflattened(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    parts = sizes_of(m, given.arg(1, "sizes"))
    wanted, dim = None if parts is None else numbers(map(m.see, parts)), number(m.see(given.arg(0, "dim") or NONE))
    if wanted is None or dim is None or not -len(sizes) <= dim < len(sizes) or any(one < -1 for one in wanted):
        return ""
    free, rest, size = wanted.count(-1), prod(one for one in wanted if one != -1), sizes[dim]
    if rest and ((size != rest) if not free else (free == 1 and size % rest)):
        return f"a size of {size} does not make {_shown(wanted)}"
    return ""


@_check("expand")
def _expanded(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    wanted = _wanted(m, given, "size")
    if wanted is None:
        return ""
    behind = wanted[len(wanted) - len(sizes) :] if len(wanted) >= len(sizes) else []
    if len(wanted) < len(sizes) or any(a not in (1, b) and b != -1 for a, b in zip(sizes, behind, strict=True)):
        return f"{_shown(sizes)} does not expand to {_shown(wanted)}"
    return ""


@_check("repeat")
def _repeated(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    wanted = _wanted(m, given, "repeats")
    if wanted is not None and len(wanted) < len(sizes):
        return f"`repeat` is given {len(wanted)} numbers for {len(sizes)} dimensions"
    return ""


@_check("permute")
def _permuted(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    wanted = _wanted(m, given, "dims")
    rank = len(sizes)
    if wanted is None:
        return ""
    fits = sorted(d % max(rank, 1) for d in wanted) == list(range(rank)) and all(-rank <= d < rank for d in wanted)
    return "" if fits else f"`permute{_shown(wanted)}` is asked of {rank} dimensions"


@_check("t")
def _turned(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    return f"`t` is asked of {len(sizes)} dimensions, and takes two" if len(sizes) > 2 else ""


@_check("item")
def _single(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    return f"`item` is asked of a tensor of the sizes {_shown(sizes)}" if prod(sizes) != 1 else ""


@_check("dot", "vdot", "outer", "ger")
def _flat(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    return f"a vector is needed, and the sizes are {_shown(sizes)}" if len(sizes) > 1 else ""


def _along(m: Machine, given: Call, sizes: list[int], at: int = 0) -> int | None:
    """The size of the dimension that an argument names."""
    dim = number(m.see(given.arg(at, "dim") or NONE))
    return None if dim is None or not -len(sizes) <= dim < len(sizes) else sizes[dim]


@_check("narrow")
def _narrowed(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    size = _along(m, given, sizes)
    start, length = (number(m.see(given.arg(i, n) or NONE)) for i, n in ((1, "start"), (2, "length")))
    if size is None or start is None or length is None or start < 0 or start + length <= size:
        return ""
    return f"{length} from {start} on are more than the {size} there are"


@_check("select")
def _selected(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    size, index = _along(m, given, sizes), number(m.see(given.arg(1, "index") or NONE))
    return "" if size is None or index is None or -size <= index < size else f"there is no index {index} of {size}"


@_check("topk")
def _topmost(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    count, dim = number(m.see(given.arg(0, "k") or NONE)), number(m.see(given.arg(1, "dim") or Const(-1)))
    if count is None or dim is None or not sizes or not -len(sizes) <= dim < len(sizes) or count <= sizes[dim]:
        return ""
    return f"`topk` asks for {count} of {sizes[dim]}"


@_check("split", "split_with_sizes")
def _split(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    parts = sizes_of(m, given.arg(0, "split_sizes") or given.arg(0, "split_size_or_sections") or NONE)
    wanted, dim = None if parts is None else numbers(map(m.see, parts)), number(m.see(given.arg(1, "dim") or Const(0)))
    if wanted is None or dim is None or not -len(sizes) <= dim < len(sizes) or sum(wanted) == sizes[dim]:
        return ""
    return f"the parts {_shown(wanted)} do not add up to {sizes[dim]}"


@_check(".unfold")
def _unfolded(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    size, window = _along(m, given, sizes), number(m.see(given.arg(1, "size") or NONE))
    return "" if size is None or window is None or window <= size else f"a window of {window} does not fit into {size}"


@_check("pad")
def _padded(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    parts = sizes_of(m, given.arg(0, "pad"))
    if parts is None:
        return ""
    if len(parts) % 2:
        return f"`pad` is given {len(parts)} numbers, and needs two for each dimension"
    return f"`pad` is given {len(parts)} numbers for {len(sizes)} dimensions" if len(parts) > 2 * len(sizes) else ""


@_check("pixel_shuffle")
def _shuffled(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    factor = number(m.see(given.arg(0, "upscale_factor") or NONE))
    if factor is None or factor < 1 or len(sizes) < 3 or sizes[-3] % (factor * factor) == 0:
        return ""
    return f"{sizes[-3]} channels are no multiple of {factor} times {factor}"


@_check("gather", "scatter", "scatter_", "scatter_add", "scatter_add_")
def _indexed(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    index = m.see(given.arg(1, "index") or NONE)
    if not isinstance(index, Tensor):
        return ""
    if index.dtype in FLOATING:
        return f"the index is {_short(index.dtype)}, and has to be int64"
    rank = len(index.shape) if index.shape is not None else len(sizes)
    return f"the index has {rank} dimensions, and the tensor {len(sizes)}" if rank != len(sizes) and sizes else ""


@_check("masked_fill", "masked_fill_")
def _masked(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    mask = m.see(given.arg(0, "mask") or NONE)
    if isinstance(mask, Tensor) and mask.dtype in FLOATING:
        return f"the mask is {_short(mask.dtype)}, and has to be bool"
    return ""


@_check("torch.where")
def _chosen(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    wrong = len(given.args) + len(given.kwargs) >= 2 and tensor.dtype in FLOATING
    return f"the condition is {_short(tensor.dtype)}, and has to be bool" if wrong else ""


@_check(f"{FUNCTIONAL}.embedding")
def _looked_up(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    return f"the indices are {_short(tensor.dtype)}, and have to be int64" if tensor.dtype in FLOATING else ""


@_check("stft")
def _transformed(m: Machine, given: Call, tensor: Tensor, sizes: list[int]) -> str:
    said = "return_complex" in given.kwargs or len(given.args) > 8
    return "" if said or tensor.dtype not in FLOATING else "`stft` of real numbers has to be given return_complex"


def index(m: Machine, node: nodes.Node, tensor: Tensor, keys: list[Value]) -> None:
    """Note what `tensor[keys]` refuses."""
    if m.root.trace is None or m.root.trace.export is None or m.root.watch is not None or tensor.shape is None:
        return
    for key in keys:
        if isinstance(key, Tensor) and key.dtype in FLOATING:
            raised.note(m, node, "RuntimeError", f"a tensor of {_short(key.dtype)} is the index")
    sizes = list(tensor.shape)
    for key in keys:
        if key == NONE:
            continue
        if number(key) is None and not isinstance(key, SliceValue):
            return  # it may take several dimensions, or none
        if not sizes:
            raised.note(m, node, "IndexError", f"there are {len(keys)} indices for {len(tensor.shape)} dimensions")
            return
        size, at = number(m.see(sizes.pop(0))), number(key)
        if size is not None and at is not None and not -size <= at < size:
            raised.note(m, node, "IndexError", f"there is no index {at} of {size}")


def _short(dtype: str | None) -> str:
    return (dtype or "").removeprefix("torch.")
