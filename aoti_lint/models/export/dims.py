"""`torch.export.Dim` and what goes into `dynamic_shapes`."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.classes.objects import plain_enum
from aoti_lint.language.data.containers import items_of
from aoti_lint.language.effects import api_calls, marks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import constant, function, method, operator
from aoti_lint.models.tensors.sizes import MAX_SIZE
from aoti_lint.values.call import Call
from aoti_lint.values.events.exports import DimRefused
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.values import NONE, Const, Pairs, Tup, Unknown, Value

for _kind in ("AUTO", "DYNAMIC", "STATIC"):

    def _hint(kind: str) -> None:
        for owner in ("torch.export.Dim", "torch.export.dynamic_shapes.Dim", "torch.export.dynamic_shapes._DimHint"):

            @constant(f"{owner}.{kind}")
            def value(m: Machine) -> Value:
                m.has_dims()
                return DimValue(kind)

    _hint(_kind)


@function("torch.export.Dim", "torch.export.dynamic_shapes.Dim")
def _dim(m: Machine, call: Call) -> Value:
    name = call.arg(0, "name", NONE)
    m.has_dims()
    return DimValue(
        "named",
        str(name.value) if isinstance(name, Const) else f"<{m.fresh()}>",
        *_given_bounds(m, call),
        m.span(call.node),
    )


@function("torch.export.dims", "torch.export.dynamic_shapes.dims")
def _dims(m: Machine, call: Call) -> Value:
    low, high = _given_bounds(m, call)
    m.has_dims()
    names = [str(a.value) if isinstance(a, Const) else f"<{m.fresh()}>" for a in call.args]
    return Tup(tuple(DimValue("named", name, low, high, m.span(call.node)) for name in names))


def _given_bounds(m: Machine, call: Call) -> tuple[Value, Value]:
    """`min` and `max`, a member of an `IntEnum` as its number."""
    low, high = (
        lift(m, m.see(call.kwargs.get(name, NONE)), lambda bound: plain_enum(m, bound)) for name in ("min", "max")
    )
    return low, high


@method("Dim", "__call__")
def _bounds(m: Machine, call: Call, receiver: Value) -> Value:
    """`Dim.AUTO(min=…, max=…)`."""
    assert isinstance(receiver, DimValue)
    return DimValue(receiver.kind, "", *_given_bounds(m, call), m.span(call.node))


def derived(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
    """`a op b`, where one of them is a dimension: `scale * root + offset` if torch allows it and the number is known.

    Release 2.13.0, `torch/export/dynamic_shapes.py:192`: sums with an int and products with a positive int; a
    dimension may stand behind the operator in sums and products only.
    """
    dim, number = (a, b) if isinstance(a, DimValue) else (b, a)
    amount = number.value if isinstance(number, Const) and type(number.value) is int else None
    sign = -1 if op == "-" else 1
    steps = op in ("+", "*") or (op == "-" and dim is a)
    if not isinstance(dim, DimValue) or dim.kind not in ("named", "derived") or amount is None or not steps:
        return DimValue("derived", "", span=m.span(node))
    root = dim if dim.kind == "named" else dim.root
    if root is None or (op == "*" and amount <= 0):
        return DimValue("derived", "", span=m.span(node))
    scale, offset = (dim.scale * amount, dim.offset * amount) if op == "*" else (dim.scale, dim.offset + sign * amount)
    if max(scale, abs(offset)) > MAX_SIZE:
        return DimValue("derived", "", span=m.span(node))
    least = Const(0) if root.min == NONE and offset > 0 else root.min
    low, high = (_applied(bound, scale, offset) for bound in (least, root.max))
    return DimValue("derived", _formula(root.name, scale, offset), low, high, m.span(node), root, scale, offset)


def _applied(bound: Value, scale: int, offset: int) -> Value:
    """A bound of a derived dimension; None where its root has none, unknown where that of the root is."""
    if isinstance(bound, Const) and type(bound.value) is int:
        return Const(scale * bound.value + offset)
    return bound if bound == NONE else Unknown("derived bound", "the bound of a Dim")


def _formula(name: str, scale: int, offset: int) -> str:
    """`2*batch + 1`, as torch writes it."""
    product = name if scale == 1 else f"{scale}*{name}"
    return product if offset == 0 else f"{product} {'+' if offset > 0 else '-'} {abs(offset)}"


@function("torch.export.dynamic_dim")
def _dynamic_dim(m: Machine, call: Call) -> Value:
    return m.unknown(call.node, "dynamic_dim was not followed")


def _mark(api: str) -> None:
    @function(f"torch._dynamo.{api}", f"torch._dynamo.decorators.{api}")
    def model(m: Machine, call: Call) -> Value:
        if m.root.compiling and api != "mark_static":
            api_calls.tell(m, call, f"torch._dynamo.{api}")
        tensor, dims = m.see(call.arg(0, "t", NONE) or NONE), call.arg(1, "index", NONE) or NONE
        if isinstance(tensor, Tensor):
            before = m.read(marks.DIMS, tensor.key)
            marked = Tup((dims,)) if items_of(m, dims) is None else Tup(tuple(items_of(m, dims) or ()))
            if api == "mark_static":
                return NONE
            joined = Tup(before.items + marked.items) if isinstance(before, Tup) else marked
            m.store.write(marks.DIMS, tensor.key, joined)
            marks.mark(m, call.node, tensor)
            if api == "mark_dynamic":
                _keep(m, call, tensor, marked)
        return NONE


def _keep(m: Machine, call: Call, tensor: Tensor, marked: Tup) -> None:
    """What `mark_dynamic` says has to hold, within its range if it has one; a size from the end is not marked by it."""
    low, high = (m.see(call.kwargs.get(bound, NONE)) for bound in ("min", "max"))
    whole = (low, high) == (NONE, NONE) or all(isinstance(one, Const) and one != NONE for one in (low, high))
    before = m.read(marks.DECLARED, tensor.key)
    pairs = before.pairs if isinstance(before, Pairs) else ()
    for at in (m.see(item) for item in marked.items):
        if isinstance(at, Const) and type(at.value) is int and at.value >= 0 and not call.open and whole:
            kind, name = ("DYNAMIC", "") if low == NONE else ("named", f"{tensor.key}[{at.value}]")
            pairs = (*(one for one in pairs if one[0] != at), (at, DimValue(kind, name, low, high, m.span(call.node))))
    m.store.write(marks.DECLARED, tensor.key, Pairs(pairs))


for _api in ("mark_dynamic", "maybe_mark_dynamic", "mark_unbacked", "mark_static"):
    _mark(_api)


@function("torch.export.dynamic_shapes.refine_dynamic_shapes_from_suggested_fixes")
def _refine(m: Machine, call: Call) -> Value:
    return Unknown(f"u{m.fresh()}", "refined dynamic shapes")


_REFUSED = frozenset({"/", "//", "%", "**", "<<", ">>", "&", "^", "@"})
"""Operators that no dimension has."""


@operator("Dim")
def _operator(m: Machine, node: nodes.Node, op: str, a: Value, b: Value | None) -> Value | None:
    if _refuses(op, a, b):
        m.emit(DimRefused, node, op=op, left=a, right=b)
    return DimValue("derived", "", span=m.span(node)) if b is None else derived(m, node, op, a, b)


def _refuses(op: str, a: Value, b: Value | None) -> bool:
    """Whether an operator on a dimension raises. Run on torch 2.13, see the rule AOTI341."""
    if b is None:
        return op in ("-", "+", "~")
    dim, other = (a, b) if isinstance(a, DimValue) else (b, a)
    if not isinstance(dim, DimValue) or not isinstance(other, Const | DimValue):
        return False
    if op in _REFUSED or (op in ("+", "-", "*") and dim.kind not in ("named", "derived")):
        return True
    number = other.value if isinstance(other, Const) and type(other.value) is int else None
    if op == "-" and dim is not a:
        return True
    return op in ("+", "-", "*") and (number is None or (op == "*" and number <= 0))
