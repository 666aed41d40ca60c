"""AOTI340."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path, VersionSet
from aoti_lint.rule.inputs import Mismatch, parts
from aoti_lint.rule.values import Const, Pairs, Program, Tup

from ._exports import ExportRule, Fault


class BesideKwargs(ExportRule):
    """An export has `dynamic_shapes`, and an example input that goes into the `**kwargs` of `forward`.

    What happens:
        The export raises `AssertionError: Must provide a tree_name when there might be a mismatch`, in torch 2.8 to
        2.13, once all was traced. So does `draft_export`, and `torch.onnx.export` of torch 2.9 and later, with a
        `TorchExportError`.

    Why:
        These releases count what `**kwargs` collects twice, under the name of the parameter and under its own, and
        compare that with `dynamic_shapes`. No nesting fits, though `{"kwargs": {"y": …}}` is the right one. It is the
        same with `ShapesCollection` and `AdditionalInputs`. Without `dynamic_shapes`, and from torch 2.14 on, it works.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, **kwargs):
                return x * kwargs["scale"]

        rows = torch.export.Dim("rows")
        shapes = {"x": {0: rows}, "kwargs": {"scale": None}}
        torch.export.export(Net(), (torch.randn(4, 8),), {"scale": torch.randn(8)}, dynamic_shapes=shapes)  # <- AOTI340

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, scale):
                return x * scale

        rows = torch.export.Dim("rows")
        shapes = {"x": {0: rows}, "scale": None}
        torch.export.export(Net(), (torch.randn(4, 8),), {"scale": torch.randn(8)}, dynamic_shapes=shapes)

    How to debug:
        Export once without `dynamic_shapes`: that works, if only this is wrong.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13 (this project's tests). `torch/export/_trace.py`, `_get_range_constraints`, of the releases
        2.7.1 to 2.15.0 (2.13.0:1519).
    """

    code = "AOTI340"
    name = "beside-kwargs"
    onnx = True
    raised = ("AssertionError",)
    releases = VersionSet.between("2.8", "2.13")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        named = {name for name, _ in program.parameters or ()}
        rest = next((name for name, kind in program.parameters or () if kind == "kwvar"), None)
        given = program.kwargs.pairs if isinstance(program.kwargs, Pairs) else ()
        collected = [key.value for key, _ in given if isinstance(key, Const) and key.value not in named]
        asked = (isinstance(program.spec, Tup) and program.spec.items) or (
            isinstance(program.spec, Pairs) and program.spec.pairs
        )
        if rest is None or not collected or not asked or any(isinstance(one, Mismatch) for one in parts(program)):
            return
        yield Fault(
            key=rest,
            message=f"'{collected[0]}' goes into **{rest} of forward, beside dynamic_shapes: the export raises",
            label=f"'{collected[0]}' has no parameter of its own",
            help=f"export a module whose forward has '{collected[0]}' as a parameter, and passes it on",
        )
