"""Tensors taken apart and put together: splitting, joining, and `T`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.operations.arithmetic import agreed_shape, shape_of_operand, tensor_list, whole
from aoti_lint.models.tensors.operations.changes import written_out
from aoti_lint.models.tensors.operations.indexing import is_part
from aoti_lint.models.tensors.operations.views import swapped
from aoti_lint.models.tensors.sizes import (
    MAX_PARTS,
    Shape,
    broadcast,
    dim_of,
    is_sequence,
    number,
    over,
    plus,
    put,
    size,
    some,
    without,
)
from aoti_lint.models.tensors.tensor_base import op, operand, reshaped, undefined
from aoti_lint.values.call import Call
from aoti_lint.values.identity import combined, ident
from aoti_lint.values.sizes.symbols import LEAST, Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Many, Size, Sym, Tup, Value


@attribute("Tensor", "T", "H")
def _all_turned(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Tensor)
    shape, strides = value.shape, value.strides
    made = reshaped(m, value, None) if shape is None else reshaped(m, value, shape[::-1], strides and strides[::-1])
    return _turned(m, value, made)


@attribute("Tensor", "mT", "mH")
def _last_turned(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Tensor)
    known = value.shape and len(value.shape) > 1
    return _turned(m, value, swapped(m, value, Const(-2), Const(-1)) if known else reshaped(m, value, None))


def _turned(m: Machine, source: Tensor, made: Value) -> Value:
    if m.root.watch is not None and isinstance(made, Tensor):
        m.root.watch.viewed(source, made, "t")
    return made


# ---------------------------------------------------------------- taking apart


def parts_along(m: Machine, x: Tensor, dim: Value, sizes: list[Value] | None, each: Value | None = None) -> Value:
    """The parts of these sizes along a dimension; if these are not known, alike parts of size `each` in any number."""
    at = dim_of(dim, len(x.shape)) if x.shape else None
    if not x.shape or at is None or sizes is None or len(sizes) > MAX_PARTS:
        shape = put(x.shape, at, each or some(m, "the size of a part")) if x.shape and at is not None else None
        return alike_parts(m, x, shape)
    return Tup(tuple(reshaped(m, x, put(x.shape, at, s), x.strides) for s in sizes))


def alike_parts(m: Machine, x: Tensor, shape: Shape | None, strides: memory.Strides | None = None) -> Value:
    made = m.new("list")
    m.store.write(made.ident, "#items", Many(reshaped(m, x, shape, strides)))
    return made


def _length(m: Machine, x: Tensor, dim: Value) -> int | None:
    at = dim_of(dim, len(x.shape)) if x.shape else None
    return number(m.see(x.shape[at])) if x.shape and at is not None else None


def _dim(m: Machine, call: Call, index: int) -> Value:
    return m.see(call.arg(index, "dim") or Const(0))


def _evenly(length: int, step: int) -> list[Value] | None:
    """The sizes of parts of `step`, the last one smaller; None for too many."""
    if length > step * MAX_PARTS:
        return None
    return [Const(min(step, length - start)) for start in range(0, length, step)] or [Const(0)]


@op("chunk", "mt")
def _chunk(m: Machine, call: Call, x: Tensor) -> Value:
    dim, count = _dim(m, call, 1), number(operand(m, call, 0, "chunks"))
    length = _length(m, x, dim)
    if (sizes := _open_chunks(m, x, dim, count or 0)) is not None:
        return parts_along(m, x, dim, sizes)
    if not length or not count or count < 0:
        return parts_along(m, x, dim, None)
    return parts_along(m, x, dim, _evenly(length, -(-length // count)))


def _open_chunks(m: Machine, x: Tensor, dim: Value, count: int) -> list[Value] | None:
    """The sizes of as many chunks of an open size; None for another one."""
    whole_size = _open_size(m, x, dim)
    if m.root.watch is None or whole_size is None or count < 1:
        return None
    each = Expr("ceil", Expr("/", whole_size.expr, Expr("const", count)))
    if (known := m.root.watch.halved(m, whole_size, each, count)) is not None:
        return known
    if count > LEAST:
        return None
    made: list[Value] = []
    for i in range(count):
        made.append(undefined(f"{ident(whole_size)}/{count}:{i}", "the size of a chunk"))
        last = Expr("-", whole_size.expr, Expr("*", Expr("const", count - 1), each)) if count > 1 else whole_size.expr
        m.root.watch.worked_out[f"{ident(whole_size)}/{count}:{i}"] = each if i < count - 1 else last
    return made


@op("split split_with_sizes", "mt")
def _split(m: Machine, call: Call, x: Tensor) -> Value:
    dim = _dim(m, call, 1)
    named = ("split_size", "split_size_or_sections", "split_sizes")
    given = operand(m, call, 0, *named)
    step, length = number(given), _length(m, x, dim)
    if is_sequence(given):
        items = containers.items_of(m, given)
        at = dim_of(dim, len(x.shape)) if x.shape else None
        if m.root.watch is not None and items and x.shape and at is not None:
            total: Value = Const(0)
            for item in items:
                total = plus(m, total, size(m, item))
            m.root.watch.fit(m, m.see(x.shape[at]), m.see(total))
        return parts_along(m, x, dim, items)
    if isinstance(given, Size) and (whole_size := _open_size(m, x, dim)) and is_part(given.expr, whole_size.expr):
        assert m.root.watch is not None
        return parts_along(m, x, dim, m.root.watch.halved(m, whole_size, given.expr, given.expr[2][1]))
    if not step or step < 0:
        return parts_along(m, x, dim, None, _usual_part(given, length))
    if length is None:
        return parts_along(m, x, dim, _open_parts(m, x, dim, step))
    return parts_along(m, x, dim, _evenly(length, step), Const(step))


def _usual_part(step: Value, length: int | None) -> Value | None:
    """The size of all parts but the last, where the user chooses it."""
    usual = number(step.default) if isinstance(step, Sym) else None
    return step if usual and usual > 0 and (length is None or usual <= length) else None


def _open_parts(m: Machine, x: Tensor, dim: Value, step: int) -> list[Value] | None:
    """The sizes of the parts of an open size: all but the last are `step`."""
    at = dim_of(dim, len(x.shape)) if x.shape else None
    size = m.see(x.shape[at]) if x.shape and at is not None else None
    count = m.root.watch.counted(m, size, step) if m.root.watch is not None and isinstance(size, Size) else None
    if not count or count > MAX_PARTS or size is None:
        return None
    before: list[Value] = [Const(step)] * (count - 1)
    return [*before, combined("-", size, Const(step * (count - 1))) if before else size]


def _open_size(m: Machine, x: Tensor, dim: Value) -> Size | None:
    """The size of a dimension, if it is open and somebody looks on."""
    at = dim_of(dim, len(x.shape)) if x.shape else None
    found = m.see(x.shape[at]) if x.shape and at is not None else None
    return found if m.root.watch is not None and isinstance(found, Size) else None


def _open_split(m: Machine, x: Tensor, dim: Value, count: int) -> list[Value] | None:
    """The sizes of as many parts of an open size."""
    size = _open_size(m, x, dim)
    return m.root.watch.spread(m, size, count) if m.root.watch is not None and size is not None and count > 0 else None


@op("tensor_split", "mt")
def _tensor_split(m: Machine, call: Call, x: Tensor) -> Value:
    dim = _dim(m, call, 1)
    count, length = number(operand(m, call, 0, "sections")), _length(m, x, dim)
    if not count or count < 0 or length is None:
        return parts_along(m, x, dim, _open_split(m, x, dim, count or 0))
    if count > MAX_PARTS:
        return parts_along(m, x, dim, None)
    return parts_along(m, x, dim, [Const(length // count + (i < length % count)) for i in range(count)])


@op("unbind", "mt")
def _unbind(m: Machine, call: Call, x: Tensor) -> Value:
    dim = _dim(m, call, 0)
    at = dim_of(dim, len(x.shape)) if x.shape else None
    shape = without(x.shape, [at]) if x.shape and at is not None else None
    strides = None if at is None else memory.without(x, at)
    length = _length(m, x, dim)
    if length is None or length > MAX_PARTS:
        return alike_parts(m, x, shape, strides)
    return Tup(tuple(reshaped(m, x, shape, strides) for _ in range(length)))


# ---------------------------------------------------------------- putting together


@function("torch.cat", "torch.concat", "torch.concatenate")
def _cat(m: Machine, call: Call) -> Value:
    dim = m.see(call.arg(1, "dim") or Const(0))
    return _of_list(m, call, lambda values, complete: cat_shape(m, values, complete, dim))


def cat_shape(m: Machine, values: list[Value], complete: bool, dim: Value) -> Shape | None:
    shapes = [v.shape if isinstance(v, Tensor) else None for v in values]
    first = next((s for s in shapes if s), None)
    at = dim_of(dim, len(first)) if first else None
    common = agreed_shape(m, values, at) if at is not None else None
    if common is None or at is None:
        return None
    if not complete:
        return put(common, at, some(m, "the number of tensors joined"))
    total: Value = Const(0)
    for shape in shapes:
        total = plus(m, total, shape[at] if shape else Const(0))
    return put(common, at, total)


@function("torch.stack")
def _stack(m: Machine, call: Call) -> Value:
    dim = m.see(call.arg(1, "dim") or Const(0))
    return _of_list(m, call, lambda values, complete: stacked_shape(m, values, complete, dim))


def stacked_shape(m: Machine, values: list[Value], complete: bool, dim: Value) -> Shape | None:
    common = agreed_shape(m, values)
    at = dim_of(dim, len(common) + 1) if common is not None else None
    if common is None or at is None:
        return None
    count: Value = Const(len(values)) if complete else some(m, "the number of tensors stacked")
    return (*common[:at], count, *common[at:])


def _several(name: str, dim: int) -> None:
    """`hstack` and `vstack` of tensors with dimensions enough."""

    @function(f"torch.{name}")
    def model(m: Machine, call: Call) -> Value:
        def shape(values: list[Value], complete: bool) -> Shape | None:
            ranks = {len(v.shape) if isinstance(v, Tensor) and v.shape is not None else 0 for v in values}
            if ranks == {1} and dim == 0:
                return stacked_shape(m, values, complete, Const(0))
            plain = min(ranks) >= 2 or (name == "hstack" and ranks == {1})
            return cat_shape(m, values, complete, Const(0 if ranks == {1} else dim)) if plain else None

        return _of_list(m, call, shape)


for _name, _at in {"hstack": 1, "vstack": 0, "row_stack": 0, "column_stack": 1}.items():
    _several(_name, _at)


@function("torch.dstack")
def _dstack(m: Machine, call: Call) -> Value:
    return _of_list(m, call, lambda values, complete: None)


def _of_list(m: Machine, call: Call, shape: Callable[[list[Value], bool], Shape | None]) -> Value:
    """One tensor out of the tensors of a list; `shape` is told whether these are all."""
    held = tensor_list(m, call.arg(0, "tensors"))
    written = written_out(m, call)
    if written is not None:
        return written
    if held is None:
        return m.unknown(call.node, "the tensors that are put together are not known")
    values, complete = held

    def apply(seen: list[Value]) -> Value:
        made = whole(m, seen, None if call.open else shape(seen, complete))
        lie_in_rows = all(isinstance(v, Tensor) and memory.in_rows(v) for v in seen)
        return replace(made, strides=memory.dense(made.shape)) if isinstance(made, Tensor) and lie_in_rows else made

    return over(m, values, apply)


@function("torch.broadcast_tensors")
def _broadcast_tensors(m: Machine, call: Call) -> Value:
    if call.open:
        return m.unknown(call.node, "the tensors that are broadcast are not known")

    def apply(values: list[Value]) -> Value:
        shape = broadcast(m, [shape_of_operand(v) for v in values])
        return Tup(tuple(reshaped(m, v, shape) if isinstance(v, Tensor) else v for v in values))

    return over(m, call.args, apply)


@op("pad", "f")
def _pad(m: Machine, call: Call, x: Tensor) -> Value:
    given = containers.items_of(m, operand(m, call, 0, "pad"))
    if given is None or x.shape is None or len(given) % 2 or len(given) > 2 * len(x.shape):
        return reshaped(m, x, None)
    shape, amounts = x.shape, [m.see(amount) for amount in given]
    for i in range(len(amounts) // 2):
        at = len(shape) - 1 - i
        shape = put(shape, at, plus(m, plus(m, shape[at], amounts[2 * i]), amounts[2 * i + 1]))
    return reshaped(m, x, shape)
