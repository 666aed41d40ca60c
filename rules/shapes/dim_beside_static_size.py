"""AOTI321."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule

from ._guards import each_place, faults


class DimBesideStaticSize(Rule):
    """An operation of the forward fits for one size only that is declared dynamic, or for some.

    What happens:
        With a named `Dim` or `Dim.DYNAMIC` the export raises `Constraints violated (batch)! … You marked batch as
        dynamic but your code specialized it to be a constant (6).`, which names no line. With `Dim.AUTO` nothing is
        said: the program takes the size of the example only. Where only some sizes fit, as the even ones after a pool
        and an upsampling by 2, a named `Dim` is refused and the hints find out. `torch.onnx.export` of torch 2.9 and
        later makes a named `Dim` that fits one size only static without a word, and raises for `Dim.DYNAMIC`, for a
        name as in `{0: "batch"}`, and for `dynamic_axes`.

    Why:
        Two tensors that are added, joined or multiplied have to fit for every size. Beside a buffer, a constant or an
        input of a fixed size only one does.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y  # <- AOTI321

        spec = {"x": {0: torch.export.Dim("batch")}, "y": None}
        program = torch.export.export(Net(), (torch.randn(6, 8), torch.randn(6, 8)), dynamic_shapes=spec)

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        batch = torch.export.Dim("batch")
        example = (torch.randn(6, 8), torch.randn(6, 8))
        program = torch.export.export(Net(), example, dynamic_shapes=({0: batch}, {0: batch}))

    How to debug:
        `TORCH_LOGS="+dynamic"` prints the guard `Eq(s0, 6)` with the line that made it.

    Sources:
        `torch.onnx.export(…, dynamo=True)` run on torch 2.13 with onnxscript 0.7.2: named Dim, DYNAMIC and a text.
        Run on torch 2.13 with `+`, `cat`, `stack`, `where`, `@` and `torch.nn.Linear`, named Dim, DYNAMIC and AUTO,
        with and without `strict=True`. https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI321"
    name = "dim-beside-static-size"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for fault in each_place(faults(facts, self.exports(facts), "fit")):
            guard = fault.guard
            mine, number = (guard.left, guard.right) if guard.left[0] != "const" else (guard.right, guard.left)
            breaking = "" if fault.fixed else f", which {fault.shown(fault.size.root)} = {fault.breaking} breaks"
            yield self.found(
                facts,
                fault.event,
                fault.likelihood,
                f"{fault.shown(mine)} has to be {fault.shown(number)} here{breaking}: {fault.effect}",
                span=guard.span,
                severity=fault.severity,
                outcome=fault.outcome,
                doubt=fault.doubt,
                label="fits for one size only" if fault.fixed else "does not fit for all sizes",
                related=fault.related(),
                help="declare both sizes dynamic, take the other one from the input, or declare this one static"
                if fault.fixed
                else fault.promise,
                symptom="shape-mismatch" if fault.silent else "export-error",
            )
