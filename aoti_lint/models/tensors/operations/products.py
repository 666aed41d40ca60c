"""Products of tensors: matrices, vectors, batches of them, and what is written as an equation."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.operations.arithmetic import shape_of
from aoti_lint.models.tensors.sizes import Shape, broadcast, number, over, put, some
from aoti_lint.models.tensors.tensor_base import (
    INTEGERS,
    common_kept,
    joined,
    op,
    operand,
)
from aoti_lint.models.torch import mixing
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Value


def product_shape(m: Machine, a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of `a @ b`."""
    if not a or not b:
        return None
    inner = b[-2] if len(b) > 1 else b[0]
    is_misfit = number(a[-1]) is not None and number(inner) is not None and inner != a[-1]
    if not is_misfit or m.root.watch is None:
        mixing.fit(m, m.see(a[-1]), m.see(inner))
    if is_misfit:
        return None
    if len(b) == 1:
        return a[:-1]
    if len(a) == 1:
        return (*b[:-2], b[-1])
    batch = broadcast(m, [a[:-2], b[:-2]])
    return None if batch is None else (*batch, a[-2], b[-1])


def matmul(m: Machine, left: Value, right: Value) -> Value:
    """`left @ right`."""

    def apply(values: list[Value]) -> Value:
        shape = product_shape(m, *(shape_of(v) for v in values))
        sizes = [one.shape for one in values if isinstance(one, Tensor) and one.shape is not None]
        if len(sizes) == 2 and all(len(one) > 1 for one in sizes):
            # Of batches of matrices an export does compare the dtypes.
            mixing.note_dtypes(m, values[0], values[1], late=any(len(one) == 2 for one in sizes))
        made = joined(m, values, shape, common_kept(m, values), together=True)
        if not isinstance(made, Tensor):
            return made
        if m.root.watch is not None:
            m.root.watch.makers[made.key] = "matmul"
        return replace(made, strides=_laid_out(values, shape))

    return over(m, [left, right], apply)


def _laid_out(values: list[Value], shape: Shape | None) -> memory.Strides | None:
    """A product lies in rows where its factors do, and one of batches of matrices on both sides however they lie."""
    tensors = [one for one in values if isinstance(one, Tensor) and one.shape is not None]
    batches = len(tensors) == len(values) and all(len(one.shape or ()) > 2 for one in tensors)
    rows = len(tensors) == len(values) and all(map(memory.in_rows, tensors))
    return memory.dense(shape) if batches or rows else None


@op("matmul mm bmm mv", "mt")
@op("matmul", "l")
@method("Tensor", "__matmul__")
def _matmul(m: Machine, call: Call, receiver: Value) -> Value:
    return matmul(m, receiver, operand(m, call, 0, "other", "mat2", "vec"))


@op("dot vdot inner", "mt")
def _dot(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(values: list[Value]) -> Value:
        a, b = (shape_of(v) for v in values)
        flat = a is not None and b is not None and len(a) == len(b) == 1
        return joined(m, values, () if flat else None, common_kept(m, values), together=True)

    return over(m, [x, operand(m, call, 0, "other", "tensor")], apply)


@op("outer ger", "mt")
def _outer(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(values: list[Value]) -> Value:
        a, b = (shape_of(v) for v in values)
        shape = None if a is None or b is None else (*a, *b)
        return joined(m, values, shape, common_kept(m, values), together=True)

    return over(m, [x, operand(m, call, 0, "vec2")], apply)


@op("addmm baddbmm addmv", "mt")
def _added(m: Machine, call: Call, x: Tensor) -> Value:
    """A product and something that broadcasts to it."""

    def apply(values: list[Value]) -> Value:
        shape = product_shape(m, *(shape_of(v) for v in values[1:]))
        return joined(m, values, shape, common_kept(m, values) if shape is not None else None, together=True)

    if len(call.args) != 2:
        return joined(m, [x, *call.args[:2]], None, None)
    return over(m, [x, *map(m.see, call.args)], apply)


@op("addbmm addr", "mt")
def _added_otherwise(m: Machine, call: Call, x: Tensor) -> Value:
    return joined(m, [x, *call.args[:2]], None, None)


@op("linear", "f")
def _linear(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(values: list[Value]) -> Value:
        weight = values[1]
        mixing.note_dtypes(m, x, weight, late=True)
        shape = None
        if x.shape:
            sizes = shape_of(weight)
            width = sizes[0] if sizes and len(sizes) == 2 else some(m, "the number of features")
            if sizes and len(sizes) == 2:
                mixing.fit(m, m.see(x.shape[-1]), m.see(sizes[1]))
            vector = isinstance(weight, Tensor) and (sizes is None or len(sizes) != 2)
            shape = None if vector else put(x.shape, len(x.shape) - 1, width)
        given = [v for v in values if v != NONE]
        made = joined(m, given, shape, common_kept(m, given), together=True)
        rows = isinstance(made, Tensor) and memory.in_rows(x)
        return replace(made, strides=memory.dense(shape)) if rows and isinstance(made, Tensor) else made

    bias = operand(m, call, 1, "bias")
    return over(m, [x, operand(m, call, 0, "weight"), *([] if bias == NONE else [bias])], apply)


@op("cdist", "t")
def _cdist(m: Machine, call: Call, x: Tensor) -> Value:
    def apply(values: list[Value]) -> Value:
        a, b = (shape_of(v) for v in values)
        shape = None
        if a is not None and b is not None and len(a) > 1 and len(b) > 1:
            batch = broadcast(m, [a[:-2], b[:-2]])
            shape = None if batch is None else (*batch, a[-2], b[-2])
        return joined(m, values, shape, None, together=True)

    return over(m, [x, operand(m, call, 0, "x2")], apply)


@function("torch.einsum")
def _einsum(m: Machine, call: Call) -> Value:
    equation, given = operand(m, call, 0, "equation"), call.args[1:]
    if len(given) == 1 and containers.items_of(m, given[0]) is not None:
        given = containers.items_of(m, given[0]) or []
    if call.open or not given:
        return m.unknown(call.node, "the operands of einsum are not all known")

    def apply(values: list[Value]) -> Value:
        shapes = [shape_of(v) for v in values]
        text = equation.value if isinstance(equation, Const) else None
        shape = einsum_shape(m, text, shapes) if isinstance(text, str) else None
        dtype = common_kept(m, values)
        return joined(m, values, shape, None if dtype in INTEGERS else dtype)  # it may add integers up

    return over(m, given, apply)


def einsum_shape(m: Machine, equation: str, shapes: list[Shape | None]) -> Shape | None:
    """The shape an equation without `...` gives."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if "." in equation or len(terms) != len(shapes):
        return None
    sizes: dict[str, Value] = {}
    for term, shape in zip(terms, shapes, strict=True):
        if shape is None or len(shape) != len(term):
            return None
        for letter, one in zip(term, shape, strict=True):
            agreed = broadcast(m, [(sizes.get(letter, one),), (one,)])
            if agreed is None:
                return None
            sizes[letter] = agreed[0]
    if not arrow:
        right = "".join(sorted(c for c in sizes if left.count(c) == 1))
    return tuple(sizes[c] for c in right) if all(c in sizes for c in right) else None
