"""AOTI304."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path, Related
from aoti_lint.rule.inputs import Mismatch, parts
from aoti_lint.rule.values import Program

from ._exports import OF_WRAPPED, ExportRule, Fault


class KeysOfDynamicShapes(ExportRule):
    """The keys of `dynamic_shapes` are not the names of the inputs.

    What happens:
        The export raises `UserError: When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg
        names ['x', 'y'] of `inputs`, but here they are ['x']`. Inside an input that is a dict:
        `` Detected mismatch between the structure of `inputs` and `dynamic_shapes` ``. So does `torch.onnx.export` of
        torch 2.9 and later, with a `TorchExportError`.

    Why:
        The example inputs are bound to the parameters of `forward`, and `dynamic_shapes` needs one entry for each
        parameter that is given something, and no other. A missing entry does not mean static: `None` does. A parameter
        that keeps its default has no entry. What `*args` and `**kwargs` take is one entry under that name. The keys of
        a `ShapesCollection` are the input tensors themselves: a copy, or another tensor of the same sizes, is none of
        them (`ValueError: Some tensors that were assigned shapes were not found in args`).

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, mask):
                return x * mask

        rows = torch.export.Dim("rows")
        inputs = (torch.randn(4, 8), torch.ones(8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}})  # <- AOTI304

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, *parts):
                return torch.cat(parts)

        rows = torch.export.Dim("rows")
        torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: rows}})  # <- AOTI304

    Bad:
        import torch

        x, rows = torch.randn(4, 8), torch.export.Dim("rows")
        shapes = torch.export.ShapesCollection()
        shapes[torch.randn(4, 8)] = {0: rows}
        torch.export.export(torch.nn.ReLU(), (x,), dynamic_shapes=shapes)  # <- AOTI304

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, mask):
                return x * mask

        rows = torch.export.Dim("rows")
        inputs = (torch.randn(4, 8), torch.ones(8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "mask": None})

    How to debug:
        `list(inspect.signature(model.forward).bind(*args, **kwargs).arguments)` gives the names that are needed.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13. `torch/export/dynamic_shapes.py`, `_check_dynamic_shapes`, of the releases 2.5.1 to 2.15.0
        (2.13.0:1027); 2.4.1 refuses it with other words (`_tree_map`).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI304"
    name = "keys-of-dynamic-shapes"
    onnx = True
    raised = (*ExportRule.raised, "ValueError")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        if program.strays:
            yield Fault(
                key="stray",
                message="dynamic_shapes is a collection with a tensor that is no input: the export raises",
                label="a key of the collection is none of these inputs",
                help="index the collection by the very tensors that args and kwargs hold: shapes[args[0]] = …",
                related=tuple(Related(span, "made here") for span in dict.fromkeys(program.strays)),
            )
        for part in parts(program):
            if isinstance(part, Mismatch) and part.fault == "keys":
                yield _fault(part, program)


def _fault(part: Mismatch, program: Program) -> Fault:
    missing = [key for key in part.wanted if key not in part.given]
    extra = [key for key in part.given if key not in part.wanted]
    place = f"dynamic_shapes{part.at}"
    said = [f"has no entry for {_listed(missing)}"] if missing else []
    said += [f"names {_listed(extra)}, which no input has"] if extra else []
    kept = next((name for name, kind in program.parameters or () if kind == "kwvar"), None)
    if missing == [kept]:
        help_ = f"write {kept!r}: {{{', '.join(f'{key!r}: …' for key in extra)}}}: that is where forward has them"
    elif not missing:
        help_ = f"leave out {_listed(extra)}"
    elif len(missing) == len(extra) == 1:
        help_ = f"write {missing[0]!r} for {extra[0]!r}"
    else:
        entries = ", ".join(f"{key!r}: …" for key in part.wanted)
        help_ = f"write {{{entries}}}, with None for an input that stays static"
    return Fault(
        key=part.at,
        message=f"{place} {' and '.join(said)}: the export raises",
        label=f"the inputs are {_listed(part.wanted)}",
        help=OF_WRAPPED if program.wrapped else help_,
    )


def _listed(keys: tuple[object, ...] | list[object]) -> str:
    return ", ".join(map(repr, keys))
