"""AOTI308."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path, Verdict, judge
from aoti_lint.rule.shapes import Input
from aoti_lint.rule.values import Const, DimValue, Program, Value

from ._exports import ExportRule, Fault, declared_here, entries, made_here


class ExampleOutsideDim(ExportRule):
    """An example input has a size that its entry of `dynamic_shapes` does not allow.

    What happens:
        The export raises `ConstraintViolationError: 4 not in range [8, 64]`, or, where the entry is a number, `Static
        shape constraint of 5 does not match input size of 4, for L['x'].size()[0]`. So does `torch.onnx.export` of
        torch 2.9 and later, with a `TorchExportError`.

    Why:
        The model is traced with the example, so the example must be one of the inputs the program is for.

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        rows = torch.export.Dim("rows", min=8, max=64)
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: rows}})  # <- AOTI308

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        torch.export.export(model, (x,), dynamic_shapes={"input": (torch.export.Dim("rows"), 16)})  # <- AOTI308

    Good:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(8, 8)
        rows = torch.export.Dim("rows", min=8, max=64)
        torch.export.export(model, (x,), dynamic_shapes={"input": (rows, 8)})

    How to debug:
        Compare the shape of the example with the range that the message names; both ends belong to the range.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13: below, above and at both ends, with derived dimensions, strict and not. `Dim.AUTO(min=8)` and
        `Dim.DYNAMIC(min=8)` take an example outside.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI308"
    name = "example-outside-dim"
    onnx = True
    raised = (*ExportRule.raised, "ConstraintViolationError")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        for one, index, size, entry in entries(program):
            if isinstance(entry, DimValue) and entry.kind in ("named", "derived"):
                verdict = judge([size, entry.min, entry.max], path, _outside)
            elif isinstance(entry, Const) and type(entry.value) is int:
                verdict = judge([size, entry], path, _differs)
            else:
                continue
            if verdict is not None:
                yield _fault(one, index, entry, verdict)


def _outside(values: list[Value]) -> bool | None:
    """Whether a size is outside a range; sizes 0 and 1 are another fault (AOTI302)."""
    size, low, high = (v.value if isinstance(v, Const) else ... for v in values)
    if type(size) is not int or size < 2:
        return False if isinstance(size, int) else None
    if type(low) is int and type(high) is int and low >= high:
        return False  # AOTI309 tells of the empty range
    below = type(low) is int and size < low
    above = type(high) is int and size > high
    return True if below or above else None if ... in (low, high) else False


def _differs(values: list[Value]) -> bool | None:
    return values[0] != values[1] if isinstance(values[0], Const) else None


def _fault(one: Input, index: int, entry: Value, verdict: Verdict) -> Fault:
    size, *bounds = (v.value if isinstance(v, Const) else None for v in verdict[1])
    if isinstance(entry, DimValue):
        low, high = bounds
        ends = [f"from {low}"] if low is not None else []
        ends += [f"up to {high}"] if high is not None else []
        allowed = f"{entry.name} is {' '.join(ends)}"
        help_ = f"use an example {' '.join(ends)}, or widen the range of the Dim"
    else:
        allowed = f"dynamic_shapes says {bounds[0]}"
        help_ = f"write {size}, or None for a dimension that stays as it is"
    declared = declared_here(entry) if isinstance(entry, DimValue) else ()
    return Fault(
        key=(one.name, index),
        message=f"dimension {index} of {one.name} has size {size} in the example, but {allowed}: the export raises",
        label=f"exported with size {size}",
        help=help_,
        related=(*made_here(one.tensor, f"size {size} here"), *declared),
        confidence=verdict,
    )
