"""AOTI714."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import Exporting, OnnxExport, SizeMix
from aoti_lint.rule.values import NONE, Program

from ._forward import met


class SizesMixedInForward(Rule):
    """An operation in the forward of an exported model is given a size that does not fit.

    What happens:
        The export raises at the operation: `a and b must have same reduction dim, but got [4, 20] X [16, 4]` for a
        linear layer, `expected input[2, 7, 5] to have 8 channels, but got 7 channels instead` for a convolution, and so
        on for norms, recurrent layers, attention, products of matrices and sizes that do not broadcast. So does
        `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`, where no size is dynamic.

    Why:
        An export runs the model with the example inputs, and a size that follows from theirs is not the one that the
        layer was made for.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(3, 8, 3, stride=2, padding=1)
                self.head = torch.nn.Linear(8 * 16 * 16, 10)

            def forward(self, image):
                return self.head(self.conv(image).flatten(1))  # <- AOTI714

        torch.export.export(Net(), (torch.randn(2, 3, 64, 64),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(3, 8, 3, stride=2, padding=1)
                self.head = torch.nn.Linear(8 * 16 * 16, 10)

            def forward(self, image):
                return self.head(self.conv(image).flatten(1))

        torch.export.export(Net(), (torch.randn(2, 3, 32, 32),))

    How to debug:
        Run `model(*args)` with the example inputs, without an export: it raises at the operation.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13 for thirty layers and functions, with and without `strict=True`.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI714"
    name = "sizes-mixed-in-forward"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        if isinstance(event, OnnxExport) and isinstance(event.program, Program) and event.program.spec != NONE:
            return  # it makes assertions of what it asks of dynamic sizes
        for mix, sure in met(event, event.sizes):
            # One round stands for all of a loop: what is there in a later one is only guessed.
            looped = any(cond.kind == "loop" for cond in mix.path if cond not in event.path)
            if looped or catches(mix.caught | event.caught | event.expected, "RuntimeError"):
                continue
            if _are_of_one_dim(event, mix):
                return  # AOTI311 tells of it
            if mix.layer:
                what = f"this {mix.layer} is made for a size of {mix.wanted} and is given {mix.given}"
            else:
                what = f"a size of {mix.wanted}{' or more' * mix.least} is needed here, and it is {mix.given}"
            yield self.found(
                facts,
                event,
                sure,
                f"{what}: the export raises",
                span=mix.span,
                label="does not fit here",
                related=(Related(event.span, "exported with these example inputs"),),
                help="give example inputs of the sizes that the model is made for, or make it for these",
                symptom="export-error",
            )
            return


def _are_of_one_dim(event: Exporting, mix: SizeMix) -> bool:
    """Whether the two sizes are those that one Dim has in the example inputs."""
    sizes = [(one.root, one.example) for one in event.open_sizes]
    return any((root, mix.wanted) in sizes for root, example in sizes if example == mix.given)
