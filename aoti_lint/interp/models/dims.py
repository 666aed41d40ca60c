"""`torch.export.Dim` and what goes into `dynamic_shapes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.interp.containers import items_of
from aoti_lint.interp.models.registry import Call, constant, function, method
from aoti_lint.interp.values import NONE, Const, DimValue, Tensor, Tup, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

for _kind in ("AUTO", "DYNAMIC", "STATIC"):

    def _hint(kind: str) -> None:
        for owner in ("torch.export.Dim", "torch.export.dynamic_shapes.Dim", "torch.export.dynamic_shapes._DimHint"):

            @constant(f"{owner}.{kind}")
            def value(m: Machine) -> Value:
                return DimValue(kind)

    _hint(_kind)


@function("torch.export.Dim", "torch.export.dynamic_shapes.Dim")
def _dim(m: Machine, call: Call) -> Value:
    name = call.arg(0, "name", NONE)
    return DimValue(
        "named",
        str(name.value) if isinstance(name, Const) else f"<{m.fresh()}>",
        call.kwargs.get("min", NONE),
        call.kwargs.get("max", NONE),
        m.span(call.node),
    )


@function("torch.export.dims", "torch.export.dynamic_shapes.dims")
def _dims(m: Machine, call: Call) -> Value:
    low, high = call.kwargs.get("min", NONE), call.kwargs.get("max", NONE)
    names = [str(a.value) if isinstance(a, Const) else f"<{m.fresh()}>" for a in call.args]
    return Tup(tuple(DimValue("named", name, low, high, m.span(call.node)) for name in names))


@method("Dim", "__call__")
def _bounds(m: Machine, call: Call, receiver: Value) -> Value:
    """`Dim.AUTO(min=…, max=…)`."""
    assert isinstance(receiver, DimValue)
    return DimValue(receiver.kind, "", call.kwargs.get("min", NONE), call.kwargs.get("max", NONE), m.span(call.node))


@function("torch.export.dynamic_dim")
def _dynamic_dim(m: Machine, call: Call) -> Value:
    return m.unknown(call.node, "dynamic_dim was not followed")


def _mark(api: str) -> None:
    @function(f"torch._dynamo.{api}", f"torch._dynamo.decorators.{api}")
    def model(m: Machine, call: Call) -> Value:
        tensor, dims = m.see(call.arg(0, "t", NONE) or NONE), call.arg(1, "index", NONE) or NONE
        if isinstance(tensor, Tensor):
            before = m.read("marks", tensor.key)
            marked = Tup((dims,)) if items_of(m, dims) is None else Tup(tuple(items_of(m, dims) or ()))
            if api == "mark_static":
                return NONE
            joined = Tup(before.items + marked.items) if isinstance(before, Tup) else marked
            m.store.write("marks", tensor.key, joined)
        return NONE


for _api in ("mark_dynamic", "maybe_mark_dynamic", "mark_unbacked", "mark_static"):
    _mark(_api)


@function("torch.export.dynamic_shapes.refine_dynamic_shapes_from_suggested_fixes")
def _refine(m: Machine, call: Call) -> Value:
    return Unknown(f"u{m.fresh()}", "refined dynamic shapes")
