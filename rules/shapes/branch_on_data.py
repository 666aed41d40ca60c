"""AOTI325."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity

from ._data import HELP, SAID, data_uses


class BranchOnData(Rule):
    """The forward of an exported model goes one way or the other by the values in a tensor.

    What happens:
        The export raises: `GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1)`. With
        `strict=True` it is `Unsupported: Data-dependent branching` or `UserError: Consider annotating your code using
        torch._check*()`. So do `while` and `bool(…)`, `torch.equal` and `torch.allclose`, a comparison of `x.item()`
        and of the size that `nonzero()`, `unique()` or `x[x > 0]` gives, a loop over such a tensor or over `range(n)`
        of such a number, a list or dict that is asked for the item of that number, and, unless `strict=True`, `assert`.
        So does `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`.

    Why:
        Export traces with tensors that have sizes and no values, so there is nothing to decide by, and the program has
        one way only. Reading a number with `.item()` alone is no error.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if x.sum() > 0:  # <- AOTI325
                    return x + 1
                return x - 1

        program = torch.export.export(Net(), (torch.randn(4, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.where(x.sum() > 0, x + 1, x - 1)

        program = torch.export.export(Net(), (torch.randn(4, 8),))

    How to debug:
        The last line of the message, `Caused by:`, names the place. `torch.export.draft_export` goes on with the
        example's answer and lists all such places.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13, with and without `strict=True`: each of the forms above, on inputs, parameters and buffers.
        https://docs.pytorch.org/docs/stable/export.html#data-shape-dependent-control-flow
    """

    code = "AOTI325"
    name = "branch-on-data"
    onnx = True
    severity = Severity.ERROR
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, use, failing, confidence in data_uses(facts, self.exports(facts), *SAID):
            yield self.found(
                facts,
                event,
                confidence,
                f"{SAID[use.kind]}, and an export has no values: it raises",
                span=use.span,
                failing=failing,
                label="asked here",
                related=(Related(event.span, "exported here"),),
                help=HELP[use.kind],
                symptom="export-error",
            )
