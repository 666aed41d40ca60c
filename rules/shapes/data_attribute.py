"""AOTI346."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, VersionSet

from ._data import data_uses

_RUN_ON = VersionSet.since("2.13")


class DataAttribute(Rule):
    """The forward of an exported model computes with `x.data`.

    What happens:
        The export raises: `RuntimeError: We found a fake tensor in the exported program constant's list. This typically
        means our tracing system encountered an op that we can't trace through.` With `strict=True` it does not, and the
        program holds a tensor without values: what it gives is a `FakeTensor(..., size=(3,))`.

    Why:
        `.data` is the tensor without its history, and that of the trace is part of it: what is computed with it is not
        seen to come from an input, and taken for a constant. Its `shape` and `dtype` may be asked.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(3))

            def forward(self, x):
                return x / self.weight.data.norm()  # <- AOTI346

        torch.export.export(Net(), (torch.randn(3),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(3))

            def forward(self, x):
                return x / self.weight.detach().norm()

        torch.export.export(Net(), (torch.randn(3),))

    How to debug:
        The message ends with the name of the constant; `grep -n "\\.data\\b"` in the sources of the model.

    Sources:
        Run on torch 2.13 (this project's tests): of inputs, parameters, buffers, global tensors and what was computed,
        with each kind of operation, with and without autograd, with `strict=True` and without. `torch.compile` takes
        it.
    """

    code = "AOTI346"
    name = "data-attribute"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, use, failing, confidence in data_uses(facts, self.exports(facts), "unseen"):
            yield self.found(
                facts,
                event,
                confidence,
                "the forward computes with .data, which an export does not see through: it raises",
                span=use.span,
                failing=failing & _RUN_ON,
                label="read here",
                related=(Related(event.span, "exported here"),),
                help="write .detach()",
                symptom="export-error",
            )
