"""Tensors that are indexed: the shape of `x[…]`, and what a slice leaves of an open size."""

from __future__ import annotations

from aoti_lint.language.data import containers
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.models.tensors import memory, refused
from aoti_lint.models.tensors.sizes import Shape, is_integer, is_sequence, number, numbers, plus, some
from aoti_lint.models.tensors.tensor_base import BOOL, INTEGERS, reshaped, undefined
from aoti_lint.values.call import Call
from aoti_lint.values.identity import expr_of, ident
from aoti_lint.values.sizes.symbols import LEAST, Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Size, SliceValue, Tup, Value


@method("Tensor", "__getitem__")
def _getitem(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Tensor)

    def item(key: Value) -> Value:
        shape = indexed(m, receiver, key)
        keys = [m.see(k) for k in key.items] if isinstance(key, Tup) else [key]
        refused.index(m, call.node, receiver, keys)
        return reshaped(m, receiver, shape, None if shape is None else memory.indexed(m, receiver, keys))

    return lift(m, call.args[0], item)


def indexed(m: Machine, x: Tensor, key: Value) -> Shape | None:
    """The shape of `x[key]`."""
    keys = [m.see(k) for k in key.items] if isinstance(key, Tup) else [key]
    if x.shape is None:
        return None
    used = [_dims_used(k) for k in keys]
    if any(u is None for u in used) or keys.count(Const(...)) > 1:
        return None
    free = len(x.shape) - sum(u for u in used if u is not None)
    if free < 0:
        return None
    if Const(...) not in keys:
        keys.append(Const(...))
    advanced = sum(isinstance(k, Tensor) or is_sequence(k) for k in keys)
    if advanced > 1 or (advanced and any(is_integer(k) for k in keys)):
        return None  # where their dimensions go is a science of its own
    left, shape, gapless = list(x.shape), [], memory.lies_in_rows(m, x)
    for one in keys:
        if one == Const(...):
            shape += left[:free]
            del left[:free]
        elif one == NONE:
            shape.append(Const(1))
        elif is_integer(one) or (isinstance(one, Size) and m.root.watch is not None):
            picked_at(m, left.pop(0), one)
            gapless = gapless and all(size == Const(1) for size in shape)
        elif isinstance(one, SliceValue):
            inner = any(size != Const(1) for size in shape)
            shape.append(sliced(m, whole := left.pop(0), one, gapless and inner))
            gapless = gapless and (not inner or shape[-1] == whole)
        else:
            picked = _picked(m, one)
            if picked is None:
                return None
            shape += picked
            gapless = False
            del left[: _dims_used(one)]
    return tuple(shape)


def picked_at(m: Machine, size: Value, index: Value) -> None:
    """One index of a dimension is taken, which has to be there."""
    if m.root.watch is not None and (at := number(index)) is not None:
        m.root.watch.reaches(m, m.see(size), Const(at + 1 if at >= 0 else -at))
    elif m.root.watch is not None and isinstance(index, Size):
        m.root.watch.reaches(m, m.see(size), plus(m, index, Const(1)))


def _dims_used(key: Value) -> int | None:
    """The number of dimensions an index takes; None if we cannot tell."""
    if key in (NONE, Const(...)):
        return 0
    if is_integer(key) or isinstance(key, SliceValue | Size) or is_sequence(key):
        return 1
    if isinstance(key, Tensor) and key.shape is not None:
        if key.dtype == BOOL:
            return len(key.shape)
        return 1 if key.dtype in INTEGERS else None
    return None


def _picked(m: Machine, key: Value) -> list[Value] | None:
    """The sizes that an index by a tensor or list puts there."""
    if isinstance(key, Tensor):
        if key.dtype == BOOL:
            return [some(m, "the number of elements a mask picks")]
        return None if key.shape is None else list(key.shape)
    items = containers.items_of(m, key)
    if items is None or numbers(m.see(i) for i in items) is None:
        return None
    return [Const(len(items))]


def sliced(m: Machine, size: Value, part: SliceValue, inside: bool = False) -> Value:
    """The size of a dimension after a slice; `inside`: a part of it alone leaves gaps in memory."""
    bounds = [m.see(b) for b in (part.lower, part.upper, part.step)]
    lower, upper, step = (None if b == NONE else number(b) for b in bounds)
    known = all(b == NONE or number(b) is not None for b in bounds)
    if known and lower in (None, 0) and upper is None and step in (None, 1):
        return size
    length = number(m.see(size))
    if known and length is not None and (step is None or step > 0):
        return Const(len(range(length)[lower:upper:step]))
    if m.root.watch is not None and (left_open := m.root.watch.part(m, m.see(size), bounds, inside)) is not None:
        return left_open
    made = undefined(f"{ident(size)}[{':'.join(ident(b) for b in bounds)}]", "the size of a slice")
    if m.root.watch is not None and (left := _left(expr_of(m.see(size)), bounds)) is not None:
        m.root.watch.worked_out[made.key] = left
    return made


def _left(size: Expr, bounds: list[Value]) -> Expr | None:
    """What a slice leaves of an open size of 2 or more, whose other bounds are numbers; None where that is not said."""
    lower, upper, step = (None if b == NONE else number(b) for b in bounds)
    if bounds[2] != NONE and (step is None or step < 1):
        return None
    if isinstance(bounds[0], Size) and is_part(bounds[0].expr, size) and bounds[1] == NONE and step in (None, 1):
        return Expr("-", size, bounds[0].expr)
    if bounds[0] not in (NONE, *map(Const, range(LEAST + 1))):
        return None
    last: Expr
    if bounds[1] == NONE:
        last = size
    elif upper is not None and -LEAST <= upper < 0 and (lower or 0) + (-upper) <= LEAST:
        last = Expr("-", size, Expr("const", -upper))
    elif isinstance(bounds[1], Size) and is_part(bounds[1].expr, size) and not lower:
        last = bounds[1].expr
    else:
        return None
    length = Expr("-", last, Expr("const", lower)) if lower else last
    if step in (None, 1):
        return length
    return Expr("//", Expr("+", length, Expr("const", step - 1)), Expr("const", step))


def is_part(bound: Expr, size: Expr) -> bool:
    """Whether it is a fraction of the size."""
    return bound[0] == "//" and bound[1] == size and bound[2][0] == "const" and bool(bound[2][1] >= 1)
