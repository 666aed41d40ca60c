"""AOTI317."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, VersionSet, catches
from aoti_lint.rule.events import Exporting
from aoti_lint.rule.inputs import misfit
from aoti_lint.rule.values import Program

from ._exports import USER_ERROR, holds_dims

HELP = {
    "fields": "write torch.export.register_dataclass({cls}) before",
    "registration": "give its tensors as a tuple or a dict, or register the class with "
    "torch.utils._pytree.register_pytree_node",
    "keys": "give torch.utils._pytree.register_pytree_node a flatten_with_keys_fn for {cls}",
    "strided": "make it with layout=torch.jagged and export with strict=True, or give a padded tensor and lengths",
    "array": "give a tensor: torch.from_numpy(…)",
    "tensor": "give a tensor here; a {cls} belongs into dynamic_shapes, best under a name that nothing else has",
}
WHAT = {
    "tensor": "and no input of a model",
    "strided": "and no tensor that an export can trace",
    "array": "which an export does not take",
    "keys": "registered without flatten_with_keys_fn, which names its parts",
}
"""What is wrong, where it is not that torch cannot take the class apart."""

_NESTED = VersionSet.since("2.13")
"""The release on which it was run what becomes of nested tensors, and those after it."""


class InputOfUnknownClass(Rule):
    """An example input is an instance of a class that torch cannot take apart.

    What happens:
        The export raises `ValueError: Unsupported input type <class '__main__.Batch'>. Export only supports pytree
        containers of basic types (Tensor, int, float, ...) as input.`, with `strict=True` `UserError: It looks like one
        of the inputs with type … is not supported or pytree-flattenable.` So does `torch.onnx.export` of torch 2.9 and
        later, with a `TorchExportError`. A `Dim` that took the name of the example, as in `batch = Dim("batch")`, is
        refused in the same way. A nested tensor in its default layout ends in `RuntimeError: Internal error:
        NestedTensorImpl doesn't support sizes`.

    Why:
        Inputs of a program are tensors and numbers. Lists, tuples, named tuples and dicts are taken apart into them;
        for a dataclass torch has to be told how, and for a class of your own that is a dict or a list. A class that was
        registered with `register_pytree_node` needs `flatten_with_keys_fn`: `ValueError: Did not find a
        flatten_with_keys_fn for type`.

    Bad:
        from dataclasses import dataclass

        import torch

        @dataclass
        class Batch:
            x: torch.Tensor
            y: torch.Tensor

        class Net(torch.nn.Module):
            def forward(self, batch):
                return batch.x + batch.y

        torch.export.export(Net(), (Batch(torch.randn(4), torch.randn(4)),))  # <- AOTI317

    Bad:
        import numpy
        import torch

        torch.export.export(torch.nn.Linear(8, 4), (numpy.zeros((2, 8), dtype=numpy.float32),))  # <- AOTI317

    Good:
        from dataclasses import dataclass

        import torch

        @dataclass
        class Batch:
            x: torch.Tensor
            y: torch.Tensor

        class Net(torch.nn.Module):
            def forward(self, batch):
                return batch.x + batch.y

        torch.export.register_dataclass(Batch)
        torch.export.export(Net(), (Batch(torch.randn(4), torch.randn(4)),))

    How to debug:
        `torch.utils._pytree.tree_leaves(args)` shows what is left after everything known is taken apart.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13: dataclasses and plain classes, by position, by keyword and in a list, with and without
        `strict=True`; `register_pytree_node` with and without `flatten_with_keys_fn`. https://docs.pytorch.org/docs/stable/export.html#torch.export.register_dataclass
    """

    code = "AOTI317"
    name = "input-of-unknown-class"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        program = event.program
        if not isinstance(program, Program) or program.is_draft or not event.strange:
            return
        if catches(event.caught | event.expected, *USER_ERROR, "ValueError"):
            return
        name, cls, lack = event.strange[0]
        if lack == "tensor" and holds_dims(program.kwargs) and misfit(program) is not None:
            return  # AOTI328 tells of it
        failing = event.versions & (_NESTED if lack == "strided" else event.versions)
        if not failing:
            return
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{name} is a {cls}, {WHAT.get(lack, 'a class that torch cannot take apart')}: the export raises",
            failing=failing,
            label=f"is given a {cls}",
            help=HELP[lack].format(cls=cls),
            symptom="export-error",
        )
