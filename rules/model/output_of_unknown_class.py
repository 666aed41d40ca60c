"""AOTI712."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, catches
from aoti_lint.rule.events import Exporting
from aoti_lint.rule.values import Program


class OutputOfUnknownClass(Rule):
    """The forward of an exported model returns an instance of a class that torch cannot take apart.

    What happens:
        The export raises `RuntimeError: Found <class '__main__.Boxes'> in output, which is not a known type. If this
        type holds tensors, you need to register a pytree for it.`, with `strict=True` `AssertionError: Encountered
        unrecognized type UserDefinedObjectVariable(Boxes) at output 0`. It makes no difference what the instance holds.
        So does `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`. The same is said of a dtype, a
        device, a set, a function, a layer, bytes, complex numbers and generators.

    Why:
        Outputs of a program are tensors, numbers and texts. Lists, tuples, named tuples and dicts are put together from
        them; for a dataclass torch has to be told how.

    Bad:
        from dataclasses import dataclass

        import torch

        @dataclass
        class Boxes:
            corners: torch.Tensor
            scores: torch.Tensor

        class Net(torch.nn.Module):
            def forward(self, x):
                return Boxes(x[:, :4], x[:, 4])

        torch.export.export(Net(), (torch.randn(8, 5),))  # <- AOTI712

    Good:
        from dataclasses import dataclass

        import torch

        @dataclass
        class Boxes:
            corners: torch.Tensor
            scores: torch.Tensor

        class Net(torch.nn.Module):
            def forward(self, x):
                return Boxes(x[:, :4], x[:, 4])

        torch.export.register_dataclass(Boxes, serialized_type_name="Boxes")
        torch.export.export(Net(), (torch.randn(8, 5),))

    How to debug:
        `torch.utils._pytree.tree_leaves(model(*args))` shows what is left after everything known is taken apart.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13: dataclasses, plain classes, subclasses of dict and list, alone, in a tuple and in a dict,
        with and without `strict=True`.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.register_dataclass
    """

    code = "AOTI712"
    name = "output-of-unknown-class"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        if not isinstance(event.program, Program) or event.program.is_draft or not event.strange_outputs:
            return
        if catches(event.caught | event.expected, "RuntimeError", "AssertionError"):
            return
        cls, lack = event.strange_outputs[0]
        if lack == "place":
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                f"the model returns a {cls}, for which a program has no place: the export raises",
                label=f"its forward returns a {cls}",
                help="return tensors, numbers and texts, in tuples, lists and dicts; leave the rest to the caller",
                symptom="export-error",
            )
            return
        register = f'torch.export.register_dataclass({cls}, serialized_type_name="{cls}")'
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"the model returns a {cls}, a class that torch cannot take apart: the export raises",
            label=f"its forward returns a {cls}",
            help=f"return the tensors of {cls} as a tuple or a dict"
            + (f", or write {register} before" if lack == "fields" else ""),
            symptom="export-error",
        )
