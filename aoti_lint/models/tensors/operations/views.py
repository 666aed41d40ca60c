"""Operations that give the same elements in another shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.sizes import (
    Shape,
    calculate,
    dim_of,
    dims_of,
    is_integer,
    is_negative,
    minus,
    number,
    numbers,
    plus,
    product,
    put,
    size,
    size_arguments,
    sizes_of,
    times,
    without,
)
from aoti_lint.models.tensors.tensor_base import derived, dtype_name, is_dtype, op, operand, reshaped, undefined
from aoti_lint.models.torch import mixing
from aoti_lint.values.call import Call
from aoti_lint.values.identity import expr_of, ident
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Size, Value

IN_PLACE = ("unsqueeze", "squeeze", "t", "transpose", "swapaxes", "swapdims")
"""Operations that, with an underscore, change the sizes of the tensor itself."""


# ---------------------------------------------------------------- reshaping


def resolved(m: Machine, x: Tensor, sizes: Shape | None) -> Shape | None:
    """The sizes of `reshape`, with -1 worked out."""
    if sizes is None:
        return None
    if m.root.watch is not None and x.shape is not None:
        m.root.watch.reshaped(m, x.shape, sizes)
    open_at = [i for i, s in enumerate(sizes) if is_negative(s)]
    if not open_at:
        return sizes
    if len(open_at) > 1 or sizes[open_at[0]] != Const(-1):
        return None
    at = open_at[0]
    return put(sizes, at, _rest(m, x, without(sizes, [at])))


def _rest(m: Machine, x: Tensor, others: Shape) -> Value:
    """What -1 stands for beside `others`."""
    if x.shape is None:
        return undefined(f"{x.key}/{','.join(ident(o) for o in others)}", "the rest of a reshaped tensor")
    left, divisors = list(x.shape), []
    for other in others:
        if other in left:
            left.remove(other)
        else:
            divisors.append(other)
    total, known = numbers(left), numbers(divisors)
    if known is not None and total is None:
        # Known sizes cancel within the known ones.
        symbols = [s for s in left if number(s) is None]
        total = [n for n in map(number, left) if n is not None]
        count, by = math.prod(total), math.prod(known)
        if by and count % by == 0:
            return product(m, [Const(count // by), *symbols])
    elif total is not None and known is not None:
        count, by = math.prod(total), math.prod(known)
        if by and count % by == 0:
            return Const(count // by)
    key = f"({'*'.join(ident(s) for s in left)}/{'*'.join(ident(s) for s in divisors)})"
    if m.root.watch is not None:
        total_size, by_size = expr_of(product(m, left)), expr_of(product(m, divisors))
        m.root.watch.worked_out[key] = total_size if by_size == Expr("const", 1) else Expr("//", total_size, by_size)
    return undefined(key, "the rest of a reshaped tensor")


@op("view", "m")
def _view(m: Machine, call: Call, x: Tensor) -> Value:
    given = operand(m, call, 0, "dtype")
    if is_dtype(given):
        return derived(m, x, shape=None, dtype=dtype_name(m, given))
    return _regrouped(m, x, resolved(m, x, size_arguments(m, call, 0, "size")))


@op("reshape", "mt")
def _reshape(m: Machine, call: Call, x: Tensor) -> Value:
    return _regrouped(m, x, resolved(m, x, size_arguments(m, call, 0, "shape")))


def _regrouped(m: Machine, x: Tensor, shape: Shape | None) -> Tensor:
    return reshaped(m, x, shape, memory.regrouped(x, shape))


@op("view_as reshape_as", "m")
def _view_as(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(other: Value) -> Value:
        return reshaped(m, x, other.shape if isinstance(other, Tensor) else None)

    return lift(m, operand(m, call, 0, "other"), apply)


@op("expand_as", "m")
def _expand_as(m: Machine, call: Call, x: Tensor) -> Value:
    return _view_as(m, call, x)


@op("expand", "m")
@op("broadcast_to", "mt")
def _expand(m: Machine, call: Call, x: Tensor) -> Value:
    sizes = size_arguments(m, call, 0, "size")
    if sizes is None:
        return reshaped(m, x, None)
    made = list(sizes)
    for i, one in enumerate(sizes):
        if is_negative(one):
            if one != Const(-1) or x.shape is None or i < len(sizes) - len(x.shape):
                return reshaped(m, x, None)
            made[i] = x.shape[i - len(sizes) + len(x.shape)]
    return reshaped(m, x, tuple(made), memory.expanded(x, tuple(made)))


@op("flatten", "mt")
def _flatten(m: Machine, call: Call, x: Tensor) -> Value:
    if x.shape is None:
        return reshaped(m, x, None)
    first = dim_of(m.see(call.arg(0, "start_dim") or Const(0)), len(x.shape))
    last = dim_of(m.see(call.arg(1, "end_dim") or Const(-1)), len(x.shape))
    if first is None or last is None or last < first:
        return reshaped(m, x, None)
    return _regrouped(m, x, (*x.shape[:first], product(m, x.shape[first : last + 1]), *x.shape[last + 1 :]))


@op("ravel", "mt")
def _ravel(m: Machine, call: Call, x: Tensor) -> Value:
    return reshaped(m, x, None if x.shape is None else (product(m, x.shape),))


@op("unflatten", "mt")
def _unflatten(m: Machine, call: Call, x: Tensor) -> Value:
    sizes = sizes_of(m, call.arg(1, "sizes"))
    dim = dim_of(operand(m, call, 0, "dim"), len(x.shape)) if x.shape else None
    if not x.shape or sizes is None or dim is None:
        return reshaped(m, x, None)
    inner = resolved(m, reshaped(m, x, (x.shape[dim],)), sizes)
    return reshaped(m, x, None if inner is None else (*x.shape[:dim], *inner, *x.shape[dim + 1 :]))


# ---------------------------------------------------------------- dimensions of size 1


@op("unsqueeze", "mt")
def _unsqueeze(m: Machine, call: Call, x: Tensor) -> Value:
    dim = dim_of(operand(m, call, 0, "dim"), len(x.shape) + 1) if x.shape is not None else None
    if x.shape is None or dim is None:
        return reshaped(m, x, None)
    shape = (*x.shape[:dim], Const(1), *x.shape[dim:])
    kept = None if x.strides is None else (*x.strides[:dim], None, *x.strides[dim:])
    return reshaped(m, x, shape, memory.regrouped(x, shape) or kept)


@op("squeeze", "mt")
def _squeeze(m: Machine, call: Call, x: Tensor) -> Value:
    if x.shape is None:
        return reshaped(m, x, None)
    given = operand(m, call, 0, "dim")
    everything = not call.args and "dim" not in call.kwargs
    dims = list(range(len(x.shape))) if everything else dims_of(m, given, len(x.shape))
    if dims is None or not x.shape:
        return reshaped(m, x, None if dims is None else ())
    if any(number(x.shape[d]) is None for d in dims):
        return reshaped(m, x, None)
    gone = [d for d in dims if x.shape[d] == Const(1)]
    return reshaped(
        m, x, without(x.shape, gone), memory.moved(x, tuple(d for d in range(len(x.shape)) if d not in gone))
    )


# ---------------------------------------------------------------- order of dimensions


def swapped(m: Machine, x: Tensor, first: Value, second: Value) -> Value:
    if not x.shape:
        return reshaped(m, x, None)
    a, b = dim_of(first, len(x.shape)), dim_of(second, len(x.shape))
    if a is None or b is None:
        return reshaped(m, x, None)
    order = tuple(b if d == a else a if d == b else d for d in range(len(x.shape)))
    return reshaped(m, x, tuple(x.shape[d] for d in order), memory.moved(x, order))


@op("transpose swapaxes swapdims", "mt")
def _transpose(m: Machine, call: Call, x: Tensor) -> Value:
    return swapped(m, x, operand(m, call, 0, "dim0", "axis0"), operand(m, call, 1, "dim1", "axis1"))


@op("t", "mt")
def _t(m: Machine, call: Call, x: Tensor) -> Value:
    strides = None if x.strides is None else x.strides[::-1]
    return reshaped(m, x, x.shape[::-1], strides) if x.shape is not None and len(x.shape) <= 2 else reshaped(m, x, None)


@op("adjoint", "mt")
def _adjoint(m: Machine, call: Call, x: Tensor) -> Value:
    return swapped(m, x, Const(-2), Const(-1)) if x.shape is None or len(x.shape) > 1 else reshaped(m, x, None)


@op("permute", "mt")
def _permute(m: Machine, call: Call, x: Tensor) -> Value:
    order = size_arguments(m, call, 0, "dims")
    if order is None or x.shape is None or len(order) != len(x.shape):
        return reshaped(m, x, None)
    dims = [dim_of(d, len(x.shape)) for d in order]
    if None in dims or len(set(dims)) != len(dims):
        return reshaped(m, x, None)
    known = tuple(d for d in dims if d is not None)
    return reshaped(m, x, tuple(x.shape[d] for d in known), memory.moved(x, known))


@op("movedim moveaxis", "mt")
def _movedim(m: Machine, call: Call, x: Tensor) -> Value:
    if not x.shape:
        return reshaped(m, x, x.shape)
    rank = len(x.shape)
    source = dims_of(m, operand(m, call, 0, "source"), rank)
    target = dims_of(m, operand(m, call, 1, "destination"), rank)
    if source is None or target is None or len(source) != len(target):
        return reshaped(m, x, None)
    rest = iter(d for d in range(rank) if d not in source)
    placed = dict(zip(target, source, strict=True))
    order = tuple(placed[i] if i in placed else next(rest) for i in range(rank))
    return reshaped(m, x, tuple(x.shape[d] for d in order), memory.moved(x, order))


# ---------------------------------------------------------------- parts of one dimension


def along(m: Machine, x: Tensor, dim: Value, change: Callable[[Value], Value]) -> Tensor:
    """`x` with one size changed."""
    at = dim_of(dim, len(x.shape)) if x.shape else None
    if not x.shape or at is None:
        return reshaped(m, x, None)
    return reshaped(m, x, put(x.shape, at, change(x.shape[at])))


@op("narrow", "mt")
def _narrow(m: Machine, call: Call, x: Tensor) -> Value:
    start, length = operand(m, call, 1, "start"), size(m, operand(m, call, 2, "length"))
    dim = operand(m, call, 0, "dim")
    at = dim_of(dim, len(x.shape)) if x.shape else None
    inner = at is not None and memory.is_inner(m, x, at)

    def change(whole: Value) -> Value:
        whole = m.see(whole)
        if m.root.watch is not None and inner and (start == Const(0) or isinstance(start, Size)) and length != whole:
            m.root.watch.reaches(m, whole, length, proper=True)
        elif m.root.watch is not None and is_integer(start) and not is_negative(start):
            m.root.watch.reaches(m, whole, plus(m, length, start))
        return length

    return replace(along(m, x, dim, change), strides=x.strides)


@op("select", "mt")
def _select(m: Machine, call: Call, x: Tensor) -> Value:
    dim = dim_of(operand(m, call, 0, "dim"), len(x.shape)) if x.shape else None
    at = number(operand(m, call, 1, "index"))
    if m.root.watch is not None and x.shape and dim is not None and at is not None:
        m.root.watch.reaches(m, m.see(x.shape[dim]), Const(at + 1 if at >= 0 else -at))
    if not x.shape or dim is None:
        return reshaped(m, x, None)
    return reshaped(m, x, without(x.shape, [dim]), memory.without(x, dim))


@op("index_select", "mt")
def _index_select(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(index: Value) -> Value:
        known = isinstance(index, Tensor) and index.shape is not None and len(index.shape) < 2
        if isinstance(index, Tensor) and index.shape is not None and known:
            length: Value = index.shape[0] if index.shape else Const(1)
        else:
            length = undefined(f"len({ident(index)})", "the number of indices")
        mixing.note(m, mixing.taken(m, [x, index]))
        return along(m, x, operand(m, call, 0, "dim"), lambda _: length)

    return lift(m, operand(m, call, 1, "index"), apply)


@op("gather take_along_dim", "mt")
def _gather(m: Machine, call: Call, x: Tensor) -> Value:
    index = (
        call.arg(None, "index")
        or call.arg(None, "indices")
        or next((m.see(a) for a in call.args if isinstance(m.see(a), Tensor)), NONE)
    )
    mixing.note(m, mixing.taken(m, [x, index]))
    plain = isinstance(index, Tensor) and call.args[:1] and number(m.see(call.args[0])) is not None
    return reshaped(m, x, index.shape if isinstance(index, Tensor) and plain else None)


@op("unfold", "m")
def _unfold(m: Machine, call: Call, x: Tensor) -> Value:
    length, step = size(m, operand(m, call, 1, "size")), size(m, operand(m, call, 2, "step"))
    dim = dim_of(operand(m, call, 0, "dimension"), len(x.shape)) if x.shape else None
    if not x.shape or dim is None:
        return reshaped(m, x, None)
    count = calculate(m, "-", x.shape[dim], length, lambda a, b: a - b)
    windows = plus(m, calculate(m, "//", count, step, lambda a, b: a // b if b else -1), Const(1))
    return reshaped(m, x, (*put(x.shape, dim, windows), length))


@op("diagonal", "mt")
def _diagonal(m: Machine, call: Call, x: Tensor) -> Value:
    """The two dimensions give way to one, as long as the shorter of them; `offset` shortens one of the two."""
    given = (operand(m, call, 0, "offset"), operand(m, call, 1, "dim1"), operand(m, call, 2, "dim2"))
    offset, one, other = (number(Const(usual) if v == NONE else v) for v, usual in zip(given, (0, 0, 1), strict=True))
    rank = len(x.shape or ())
    rows, columns = (None if at is None else dim_of(Const(at), rank) for at in (one, other))
    if not x.shape or offset is None or rows is None or columns is None or rows == columns:
        return reshaped(m, x, None)
    high, wide = x.shape[rows], x.shape[columns]
    if high == wide:
        length = minus(m, high, Const(abs(offset)))
    else:
        length = calculate(m, "min", minus(m, high, Const(max(-offset, 0))), minus(m, wide, Const(max(offset, 0))), min)
    return reshaped(m, x, (*without(x.shape, [rows, columns]), length))


# ---------------------------------------------------------------- repeating


@op("repeat", "m")
@op("tile", "mt")
def _repeat(m: Machine, call: Call, x: Tensor) -> Value:
    times_ = size_arguments(m, call, 0, "repeats" if "repeats" in call.kwargs else "dims")
    if times_ is None or x.shape is None:
        return reshaped(m, x, None)
    rank = max(len(times_), len(x.shape))
    counts = (Const(1),) * (rank - len(times_)) + times_
    shape = (Const(1),) * (rank - len(x.shape)) + x.shape
    return reshaped(m, x, tuple(times(m, s, c) for s, c in zip(shape, counts, strict=True)))


@op("repeat_interleave", "mt")
def _repeat_interleave(m: Machine, call: Call, x: Tensor) -> Value:
    repeats, dim = operand(m, call, 0, "repeats"), operand(m, call, 1, "dim")
    if number(repeats) is None or x.shape is None:
        return reshaped(m, x, None)
    if dim == NONE:
        return reshaped(m, x, (times(m, product(m, x.shape), repeats),))
    return along(m, x, dim, lambda s: times(m, s, repeats))


# ---------------------------------------------------------------- complex numbers, ranks


@op("view_as_real", "t")
def _view_as_real(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=None if x.shape is None else (*x.shape, Const(2)), dtype=None)


@op("view_as_complex", "t")
def _view_as_complex(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=None if not x.shape else x.shape[:-1], dtype=None)


@op("as_strided", "mt")
def _as_strided(m: Machine, call: Call, x: Tensor) -> Value:
    return reshaped(m, x, sizes_of(m, call.arg(0, "size")))


@op("rot90 diag diag_embed diagflat", "mt")
@op("atleast_1d atleast_2d atleast_3d", "t")
def _other_shape(m: Machine, call: Call, x: Tensor) -> Value:
    return reshaped(m, x, None)
