"""AOTI313."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Path, judge
from aoti_lint.rule.shapes import Input, integer
from aoti_lint.rule.values import Const, DimValue, Program, Value

from ._exports import ExportRule, Fault, declared_here, entries, made_here


class DerivedDim(ExportRule):
    """An example input has a size that a dimension such as `2 * half` cannot have, or the dimension may be negative.

    What happens:
        The export raises `UserError: Expected shape[0] = 5 of input Tensor to be of the form 2*half, where half is an
        integer`, or, where the other dimension is an input's too, `Expected input L['y'].size()[0] to be equal to
        rows + 1, where rows = 4, but got 6`. Where the formula is negative for the `min` of the other, which is 0 if it
        is not given: `AssertionError: Expected derived min value of rows - 1 to be >= 0`. If the other dimension comes
        out as 0 or 1: `You marked 2*half as dynamic but your code specialized it to be a constant (2)`. So does
        `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`.

    Why:
        A dimension made of another ties their sizes together, in the example as in every call.

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(5, 8)
        half = torch.export.Dim("half")
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: 2 * half}})  # <- AOTI313

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum(), y.sum()

        rows = torch.export.Dim("rows")
        inputs = (torch.randn(4, 8), torch.randn(6, 8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "y": {0: rows + 1}})  # <- AOTI313

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum(), y.sum()

        rows = torch.export.Dim("rows")
        inputs = (torch.randn(4, 8), torch.randn(5, 8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "y": {0: rows + 1}})

    How to debug:
        Solve the formula in the message for the example's size.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13: one and two derived dimensions, with and without the root among the inputs, roots 0 and 1.
        `torch/export/dynamic_shapes.py`, `to_constraint`, of the releases 2.4.1 to 2.15.0 (2.13.0:1112).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI313"
    name = "derived-dim"
    onnx = True
    raised = (*ExportRule.raised, "ConstraintViolationError", "AssertionError")
    drafts = False

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        found = [
            (one, index, size, entry) for one, index, size, entry in entries(program) if isinstance(entry, DimValue)
        ]
        roots = {dim.name: size for _, _, size, dim in reversed(found) if dim.kind == "named"}
        inputs = frozenset(roots)
        for one, index, size, dim in found:
            if dim.kind != "derived" or dim.root is None:
                continue
            root = dim.root.name
            sizes = [size, roots[root]] if root in roots else [size]
            inner = root not in inputs
            verdict = judge(sizes, path, partial(_is_unfit, dim, inner))
            if verdict is not None:
                yield _fault(one, index, dim, inner, *verdict)
            roots.setdefault(root, _root_of(dim, size))


def _root_of(dim: DimValue, size: Value) -> Value:
    """The size that the root of a derived dimension has, where that is a whole one."""
    number = integer(size)
    whole, rest = divmod(number - dim.offset, dim.scale) if number is not None else (None, 0)
    return size if whole is None or rest else Const(whole)


def _is_unfit(dim: DimValue, inner: bool, seen: list[Value]) -> bool | None:
    sizes = [integer(one) for one in seen]
    known = [one for one in sizes if one is not None]
    return _said(dim, inner, *known) is not None if len(known) == len(sizes) else None


def _said(dim: DimValue, inner: bool, size: int, *known: int) -> tuple[str, str] | None:
    """What is wrong with the size of a derived dimension, and what to do; `known` is the size of its root elsewhere.

    `inner`: the root is the dimension of no input.
    """
    assert dim.root is not None
    root, low = dim.root.name, dim.root.min
    least = dim.scale * (integer(low) or 0) + dim.offset
    if isinstance(low, Const) and least < 0:
        return f"which is {least} for the smallest {root}", f"write Dim({root!r}, min={-(dim.offset // dim.scale)})"
    whole, rest = divmod(size - dim.offset, dim.scale)
    if rest:
        return f"which no whole {root} gives", "use an example that fits"
    if known and known[0] != whole:
        return f"but {root} is {known[0]} there", f"use an example of size {dim.scale * known[0] + dim.offset} there"
    if inner and whole in (0, 1):
        said = f"which makes {root} {whole}, and sizes 0 and 1 are constants"
        return said, f"use an example of size {2 * dim.scale + dim.offset} or more"
    return None


def _fault(one: Input, index: int, dim: DimValue, inner: bool, sure: Confidence, seen: list[Value]) -> Fault:
    size, *known = (number for value in seen if (number := integer(value)) is not None)
    said, help_ = _said(dim, inner, size, *known) or ("", "")
    return Fault(
        key=(one.name, index),
        message=f"dimension {index} of {one.name} is {dim.name} and has size {size} in the example, "
        f"{said}: the export raises",
        label=f"exported with {dim.name} = {size}",
        help=help_,
        related=(*made_here(one.tensor, f"size {size} here"), *declared_here(dim)),
        confidence=sure,
    )
