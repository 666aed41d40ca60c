"""AOTI324."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule

from ._guards import each_place, faults


class BranchOnASize(Rule):
    """The forward of a model goes one way or the other by a size that is declared dynamic.

    What happens:
        A named `Dim` whose range has sizes of both sides is refused: `Constraints violated (batch)! … Not all values
        of batch = L['x'].size()[0] in the specified range batch <= 64 satisfy the generated guard 2 <=
        L['x'].size()[0] and L['x'].size()[0] <= 16`. Where only the size of the example goes its way
        (`if x.shape[0] == 6`, `assert x.shape[0] == 6`), `Dim.DYNAMIC` is refused too, and with `Dim.AUTO` the
        program silently takes that size only. `torch.onnx.export` of torch 2.9 and later makes a named `Dim` that fits
        one size only static without a word, and raises for `Dim.DYNAMIC`, for a name as in `{0: "batch"}`, and for
        `dynamic_axes`.

    Why:
        Tracing follows the example. The program holds for the sizes that go the same way.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x + 1 if x.shape[0] > 16 else x - 1  # <- AOTI324

        batch = torch.export.Dim("batch", max=64)
        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x + 1 if x.shape[0] > 16 else x - 1

        batch = torch.export.Dim("batch", max=16)
        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})

    How to debug:
        `TORCH_LOGS="+dynamic"` prints the guard with the line that made it. The message of the export suggests the
        range that is right.

    Sources:
        `torch.onnx.export(…, dynamo=True)` run on torch 2.13 with onnxscript 0.7.2: named Dim, DYNAMIC and a text.
        Run on torch 2.13, named Dim, DYNAMIC and AUTO, with and without `strict=True`.
    """

    code = "AOTI324"
    name = "branch-on-a-size"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for fault in each_place(faults(facts, self.exports(facts), "branch")):
            guard = fault.guard
            asked = f"{fault.shown(guard.left)} {guard.op} {fault.shown(guard.right)}"
            other = "no other size does" if fault.fixed else f"{fault.breaking} does not"
            yield self.found(
                facts,
                fault.event,
                fault.likelihood,
                f"the example goes the way of {asked}, {other}: {fault.effect}",
                span=guard.span,
                severity=fault.severity,
                outcome=fault.outcome,
                doubt=fault.doubt,
                label="decided by the size of the example",
                related=fault.related(),
                help="write what is right for all sizes"
                if fault.fixed
                else "give the Dim a range that goes one way, or write what is right for all sizes",
                symptom="shape-mismatch" if fault.silent else "export-error",
            )
