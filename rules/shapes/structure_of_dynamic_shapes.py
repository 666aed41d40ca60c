"""AOTI305."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path
from aoti_lint.rule.inputs import Mismatch, parts
from aoti_lint.rule.values import Program

from ._exports import OF_WRAPPED, ExportRule, Fault


class StructureOfDynamicShapes(ExportRule):
    """`dynamic_shapes` is nested otherwise than the inputs are.

    What happens:
        The export raises ``UserError: Detected mismatch between the structure of `inputs` and `dynamic_shapes```:
        `inputs` has 2 elements, but `dynamic_shapes` has 1 elements``. So does `torch.onnx.export` of torch 2.9 and
        later, with a `TorchExportError`.

    Why:
        Down to the tensors `dynamic_shapes` must mirror the inputs: a list for a list, a tuple for a tuple, a dict with
        the same keys for a dict, and as many items. `None` stands for one tensor, not for a list of them. All that
        `*args` takes is one tuple. For an instance of a dataclass that was registered with
        `torch.export.register_dataclass` it is a list, with an entry for each field that is not `None`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum() + y

        rows = torch.export.Dim("rows")
        inputs = (torch.randn(4, 8), torch.randn(4, 8))
        torch.export.export(Net(), inputs, dynamic_shapes=({0: rows},))  # <- AOTI305

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, pair):
                return pair[0] + pair[1]

        rows = torch.export.Dim("rows")
        inputs = ([torch.randn(4, 8), torch.randn(4, 8)],)
        torch.export.export(Net(), inputs, dynamic_shapes={"pair": ({0: rows}, {0: rows})})  # <- AOTI305

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        rows = torch.export.Dim("rows")
        model = torch.compile(Net())
        torch.export.export(model, (torch.randn(4, 8),), dynamic_shapes=({0: rows},))  # <- AOTI305

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, pair, *more):
                return pair[0] + pair[1] + more[0]

        rows = torch.export.Dim("rows")
        inputs = ([torch.randn(4, 8), torch.randn(4, 8)], torch.randn(8))
        torch.export.export(Net(), inputs, dynamic_shapes=([{0: rows}, {0: rows}], (None,)))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        rows = torch.export.Dim("rows")
        model = torch.compile(Net())
        torch.export.export(model, (torch.randn(4, 8),), dynamic_shapes=(({0: rows},),))

    How to debug:
        Write the example inputs down and replace every tensor by its entry; nothing else may change.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13. `torch/export/dynamic_shapes.py`, `_tree_map_with_path`, of the releases 2.5.1 to 2.15.0
        (2.13.0:590).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI305"
    name = "structure-of-dynamic-shapes"
    onnx = True
    raised = (*ExportRule.raised, "ValueError")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        for part in parts(program):
            if isinstance(part, Mismatch) and part.fault != "keys":
                yield _fault(part, program)


def _fault(part: Mismatch, program: Program) -> Fault:
    wanted, given = part.wanted[0], part.given[0]
    takes_rest = next((name for name, kind in program.parameters or () if kind == "var"), None)
    if part.fault == "count":
        said = f"the inputs{part.at} have {_items(wanted)}, dynamic_shapes{part.at} has {_items(given)}"
        label = f"{given} where {wanted} {'is' if wanted == 1 else 'are'} needed"
        help_ = "write one entry for each, with None for a tensor that stays static"
        if part.record:
            help_ = f"write an entry for each field of the {part.record} that is not None, in their order"
        if not part.at and takes_rest is not None:
            help_ = f"all that *{takes_rest} takes is one entry: a tuple with an entry for each"
    elif part.record:
        said = f"the entry of a {part.record} is a list, and dynamic_shapes{part.at} is {given}"
        label = f"{given} where a list is needed"
        help_ = "write a list there, with an entry for each field that is not None, in their order"
    else:
        said = f"the inputs{part.at} are {wanted}, dynamic_shapes{part.at} is {given}"
        label = f"{given} where {wanted} is needed"
        help_ = f"write {wanted} there, with an entry for each tensor in it"
    return Fault(
        key=part.at, message=f"{said}: the export raises", label=label, help=OF_WRAPPED if program.wrapped else help_
    )


def _items(number: object) -> str:
    return f"{number} {'item' if number == 1 else 'items'}"
