"""AOTI312."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path, judge
from aoti_lint.rule.values import NONE, Const, DimValue, Program, Value

from ._exports import ExportRule, Fault, declared_here, entries


class TwoDimsOfOneName(ExportRule):
    """Two `Dim`s of one name with different ranges in one export.

    What happens:
        The export raises `UserError: Found different definitions Dim('b', max=64) and Dim('b', max=32) for the same
        symbolic dimension Dim('b', max=32)!`. So does `torch.onnx.export` of torch 2.9 and later, with a
        `TorchExportError`.

    Why:
        Dimensions are told apart by name alone, so the two are one dimension with two ranges. With the same range they
        are one dimension, which is right.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum(), y.sum()

        short, long = torch.export.Dim("rows", max=32), torch.export.Dim("rows", max=64)
        inputs = (torch.randn(4, 8), torch.randn(4, 8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: short}, "y": {0: long}})  # <- AOTI312

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum(), y.sum()

        short, long = torch.export.Dim("short", max=32), torch.export.Dim("long", max=64)
        inputs = (torch.randn(4, 8), torch.randn(4, 8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: short}, "y": {0: long}})

    How to debug:
        The message has both definitions, as far as they differ from `min=2` and no `max`.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13: other ranges, the same range, `min=0` beside no `min`. `torch/export/dynamic_shapes.py`,
        `check_same_bounds`, of the releases 2.4.1 to 2.15.0 (2.13.0:959).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI312"
    name = "two-dims-of-one-name"
    onnx = True

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        first: dict[str, DimValue] = {}
        for _, _, _, entry in entries(program):
            if not isinstance(entry, DimValue) or entry.kind != "named":
                continue
            other = first.setdefault(entry.name, entry)
            verdict = judge([_least(other), other.max, _least(entry), entry.max], path, _differ)
            if verdict is None:
                continue
            ranges = [_range(*verdict[1][:2]), _range(*verdict[1][2:])]
            yield Fault(
                key=entry.name,
                message=f"two Dims have the name {entry.name}, one for sizes {ranges[0]}, "
                f"the other {ranges[1]}: the export raises",
                label=f"{entry.name} has two ranges",
                help="give each a name of its own, or use one Dim for both",
                related=declared_here(other, entry),
                confidence=verdict,
            )


def _least(dim: DimValue) -> Value:
    """The smallest size; 0 where none is given."""
    return Const(0) if dim.min == NONE else dim.min


def _differ(values: list[Value]) -> bool | None:
    if any(not isinstance(v, Const) for v in values):
        return None
    return values[:2] != values[2:]


def _range(low: Value, high: Value) -> str:
    """A range in words."""
    least, most = (v.value if isinstance(v, Const) else None for v in (low, high))
    return f"from {least}" if most is None else f"from {least} to {most}"
