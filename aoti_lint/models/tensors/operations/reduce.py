"""Operations that take dimensions away, or order what is along one."""

from __future__ import annotations

from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.operations.arithmetic import elementwise, places
from aoti_lint.models.tensors.sizes import Shape, dim_of, dims_of, is_sequence, put, size, some, without
from aoti_lint.models.tensors.tensor_base import BOOL, INTEGERS, LONG, asked_dtype, derived, keeps_float, op, operand
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Const, Ref, Tup, Value

PAIR = ("values", "indices")
OF_TORCH = Ref("torch.return_types")
"""The class of named tuples that functions of torch give."""


def reduced(m: Machine, call: Call, x: Tensor, dim_at: int = 0, keep_at: int = 1) -> Shape | None:
    """The shape after a reduction, from the arguments at these places."""
    dim = operand(m, call, dim_at, "dim")
    keep = m.see(call.arg(keep_at, "keepdim") or FALSE)
    shape = x.shape
    if shape is None or keep not in (TRUE, FALSE) or dim in (TRUE, FALSE):
        return None
    if dim == NONE:
        return tuple(Const(1) for _ in shape) if keep == TRUE else ()
    dims = dims_of(m, dim, len(shape))
    if not dims:
        return None
    if not shape:
        return ()
    return tuple(Const(1) if i in dims else s for i, s in enumerate(shape)) if keep == TRUE else without(shape, dims)


@op("sum nansum prod", "mt")
def _summed(m: Machine, call: Call, x: Tensor) -> Value:
    """Integers and truths add up to int64."""
    kept = LONG if x.dtype == BOOL or x.dtype in INTEGERS else keeps_float(m, x)
    return derived(m, x, shape=reduced(m, call, x), dtype=asked_dtype(m, call, kept))


@op("mean nanmean amax amin logsumexp", "mt")
def _reduce(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=reduced(m, call, x), dtype=asked_dtype(m, call, keeps_float(m, x)))


@op("std var", "mt")
def _spread(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=reduced(m, call, x, 0, 2), dtype=keeps_float(m, x))


@op("norm", "mt")
@op("vector_norm norm", "l")
def _norm(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=reduced(m, call, x, 1, 2), dtype=asked_dtype(m, call, keeps_float(m, x)))


@op("argmax argmin count_nonzero", "mt")
def _which(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=reduced(m, call, x), dtype=LONG)


@op("all any", "mt")
def _truth(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=reduced(m, call, x), dtype=None if x.dtype in (None, "torch.uint8") else BOOL)


def pair(m: Machine, x: Tensor, shape: Shape | None, dtype: str | None = None) -> Value:
    """The named tuple of values and indices."""
    return Tup(
        (derived(m, x, shape=shape, dtype=dtype or x.dtype), derived(m, x, shape=shape, dtype=LONG)), PAIR, OF_TORCH
    )


@op("max min median nanmedian", "mt")
def _extreme(m: Machine, call: Call, x: Tensor) -> Value:
    """Of everything; or along a dimension, then with indices; or, of two tensors, the larger one."""
    dim = operand(m, call, 0, "dim")
    if dim == NONE and not call.args and "other" not in call.kwargs:
        return derived(m, x, shape=())

    def apply(value: Value) -> Value:
        if isinstance(value, Tensor):
            return elementwise(m, [x, value])
        if isinstance(value, Const):
            known = Call(call.node, [value, *call.args[1:]], {k: v for k, v in call.kwargs.items() if k == "keepdim"})
            return pair(m, x, reduced(m, known, x))
        return some(m, "the largest along something unknown")

    return lift(m, call.kwargs.get("other", dim), apply)


@op("cummax cummin sort", "mt")
def _with_indices(m: Machine, call: Call, x: Tensor) -> Value:
    return pair(m, x, x.shape)


@op("mode", "mt")
def _mode(m: Machine, call: Call, x: Tensor) -> Value:
    known = call if call.args or "dim" in call.kwargs else Call(call.node, [Const(-1)], call.kwargs)
    return pair(m, x, reduced(m, known, x))


@op("aminmax", "mt")
def _both(m: Machine, call: Call, x: Tensor) -> Value:
    shape = reduced(m, call, x) if not call.args else None
    return Tup((derived(m, x, shape=shape), derived(m, x, shape=shape)), ("min", "max"), OF_TORCH)


@op("std_mean var_mean", "t")
def _two(m: Machine, call: Call, x: Tensor) -> Value:
    shape = reduced(m, call, x, 0, 2)
    return Tup(tuple(derived(m, x, shape=shape, dtype=keeps_float(m, x)) for _ in range(2)))


@op("argsort", "mt")
def _argsort(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=LONG)


@op("topk", "mt")
def _topk(m: Machine, call: Call, x: Tensor) -> Value:
    return pair(m, x, _k_along(m, call, x, size(m, operand(m, call, 0, "k"))))


@op("kthvalue", "mt")
def _kth(m: Machine, call: Call, x: Tensor) -> Value:
    dim = dim_of(m.see(call.arg(1, "dim") or Const(-1)), len(x.shape)) if x.shape else None
    keep = m.see(call.arg(2, "keepdim") or FALSE)
    if not x.shape or dim is None or keep not in (TRUE, FALSE):
        return pair(m, x, None)
    return pair(m, x, put(x.shape, dim, Const(1)) if keep == TRUE else without(x.shape, [dim]))


def _k_along(m: Machine, call: Call, x: Tensor, k: Value) -> Shape | None:
    if not x.shape:
        return None
    dim = dim_of(m.see(call.arg(1, "dim") or Const(-1)), len(x.shape))
    if m.root.watch is not None and dim is not None:
        m.root.watch.reaches(m, m.see(x.shape[dim]), m.see(k))
    return None if dim is None else put(x.shape, dim, k)


@op("multinomial", "mt")
def _multinomial(m: Machine, call: Call, x: Tensor) -> Value:
    shape = None if not x.shape else (*x.shape[:-1], size(m, operand(m, call, 0, "num_samples")))
    return derived(m, x, shape=shape, dtype=LONG)


@op("quantile nanquantile", "mt")
def _quantile(m: Machine, call: Call, x: Tensor) -> Value:
    q = operand(m, call, 0, "q")
    scalar = isinstance(q, Const) and not isinstance(q, Choice) and not is_sequence(q)
    return derived(m, x, shape=reduced(m, call, x, 1, 2) if scalar else None, dtype=keeps_float(m, x))


@op("diff histc bincount combinations trapezoid", "mt")
def _some_size(m: Machine, call: Call, x: Tensor) -> Value:
    """How many elements are left is not known, but it is a tensor here; some of these give several on request."""
    if any(k.startswith("return_") or k == "as_tuple" for k in call.kwargs) or (call.args and call.args[0] != NONE):
        return m.unknown(call.node, "one tensor or several")
    return derived(m, x, shape=None, dtype=None)


@op("nonzero argwhere", "mt")
def _places(m: Machine, call: Call, x: Tensor) -> Value:
    """The indices of some elements, a row for each."""
    if m.see(call.kwargs.get("as_tuple", FALSE)) == TRUE:
        return places(m, call, x)
    if "as_tuple" in call.kwargs or call.args:
        return m.unknown(call.node, "one tensor or several")
    count = some(m, "the number of elements that are not zero")
    return derived(m, x, shape=None if x.shape is None else (count, Const(len(x.shape))), dtype=LONG)


@op("unique", "mt")
def _distinct(m: Machine, call: Call, x: Tensor) -> Value:
    return _told_apart(m, call, x, call.arg(1, "return_inverse"), call.arg(2, "return_counts"), call.arg(3, "dim"))


@op("unique_consecutive", "mt")
def _runs(m: Machine, call: Call, x: Tensor) -> Value:
    return _told_apart(m, call, x, call.arg(0, "return_inverse"), call.arg(1, "return_counts"), call.arg(2, "dim"))


def _told_apart(
    m: Machine, call: Call, x: Tensor, inverse: Value | None, counts: Value | None, dim: Value | None
) -> Value:
    """The distinct elements; if asked for, with where each element went, and with how many there are of each."""
    wanted = [m.see(FALSE if one is None else one) for one in (inverse, counts)]
    if call.open or m.see(dim or NONE) != NONE or not all(one in (TRUE, FALSE) for one in wanted):
        return m.unknown(call.node, "one tensor or several")
    found = derived(m, x, shape=(some(m, "the number of distinct elements"),))
    shapes = [shape for shape, asked in zip((x.shape, found.shape), wanted, strict=True) if asked == TRUE]
    given = [found, *(derived(m, x, shape=shape, dtype=LONG) for shape in shapes)]
    return Tup(tuple(given)) if len(given) > 1 else found


@op("masked_select", "mt")
def _selected(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=(some(m, "the number of elements a mask picks"),))


@op("take", "mt")
def _picked(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=None)
