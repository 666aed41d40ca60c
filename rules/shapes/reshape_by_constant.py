"""AOTI323."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Span
from aoti_lint.rule.shapes import Expr

from ._guards import Fault, each_place, faults

_FIXED = "write {} where the number stands"
_WALKED = "use Dim.AUTO or Dim.DYNAMIC, which leave it to the program; or a Dim whose range has no such size"


class ReshapeByConstant(Rule):
    """`view` or `reshape` in the forward is given a number that only some sizes of a dynamic dimension fit.

    What happens:
        `x.view(6, -1)` holds the first dimension to the 6 of the example: a named `Dim` or `Dim.DYNAMIC` is refused
        with `You marked batch as dynamic but your code specialized it to be a constant (6).`, and with `Dim.AUTO` the
        program silently takes 6 only. `x.view(2, -1, 8)` needs an even size, which a named `Dim` does not promise:
        `Not all values of batch = L['x'].size()[0] in the specified range satisfy the generated guard
        ((8*L['x'].size()[0]) % 16) == 0.` Where the named `Dim` stands and a number is wanted, as for the first of the
        dimensions in `x.view(x.size(1), -1)`, torch compares the two although all sizes fit: `… the generated guard
        (L['x'].size()[0] % 4) != 0`. `torch.onnx.export` of torch 2.9 and later makes a named `Dim` that fits one size
        only static without a word, and raises for `Dim.DYNAMIC`, for a name as in `{0: "batch"}`, and for
        `dynamic_axes`.

    Why:
        The number stood for the size of the example. What is meant is the size of the input.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.view(6, 2, 4).sum(-1)  # <- AOTI323

        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim("batch")}})

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.view(-1, 2, 4).sum(-1)

        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim("batch")}})

    How to debug:
        `TORCH_LOGS="+dynamic"` prints the guard with the line that made it.

    Sources:
        `torch.onnx.export(…, dynamo=True)` run on torch 2.13 with onnxscript 0.7.2: named Dim, DYNAMIC and a text.
        Run on torch 2.13, named Dim, DYNAMIC and AUTO, with and without `strict=True`. `torch/_refs/__init__.py` of
        release 2.13.0, `_reshape_view_helper`, compares dimensions from the first on.
    """

    code = "AOTI323"
    name = "reshape-by-constant"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        exports = list(self.exports(facts))
        plainer = {_of(fault): fault for fault in faults(facts, exports, "reshape")}
        for found in each_place(faults(facts, exports, "reshape", "walk")):
            # Of two things that are wrong at one place, the size that does not fit is said.
            fault = replace(plainer.get(_of(found), found), others=found.others)
            size = f"{fault.size.name}.shape[{fault.size.index}]"
            walks = fault.guard.kind == "walk"
            if fault.fixed:
                text, help = f"this fits for {size} = {fault.size.example} only", _FIXED.format(size)
            elif walks:
                text, help = f"torch takes {size} = {fault.breaking} apart in another way here", _WALKED
            else:
                text, help = f"this does not fit for {size} = {fault.breaking}", fault.promise
            yield self.found(
                facts,
                fault.event,
                fault.likelihood,
                f"{text}: {fault.effect}",
                span=fault.guard.span,
                severity=fault.severity,
                outcome=fault.outcome,
                doubt=fault.doubt,
                label="has a number for a size",
                related=fault.related(),
                help=help,
                symptom="shape-mismatch" if fault.silent else "export-error",
            )


def _of(fault: Fault) -> tuple[int, Expr, Span]:
    return id(fault.event), fault.size.root, fault.guard.span
