"""AOTI348."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, VersionSet

from ._data import data_uses

_RUN_ON = VersionSet.since("2.13")


class GradientInForward(Rule):
    """The forward of an exported model takes the gradient of a function that keeps its result for that.

    What happens:
        The export raises: `RuntimeError: We found a fake tensor in the exported program constant's list. This typically
        means our tracing system encountered an op that we can't trace through.`

    Why:
        The derivatives of `exp`, `sqrt`, `tanh`, `relu`, `softmax`, `norm` and others are made of their results, that
        of `Linear` of its weights the other way round. Autograd hands out what it kept as a new tensor, which an export
        does not see to come from an input, and takes for a constant. Those of `*`, `@`, `pow`, `sin`, `silu` or `gelu`
        are made of what went in: they are exported.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                x = x.clone().requires_grad_(True)
                energy = x.norm(dim=-1).sum()
                return torch.autograd.grad(energy, x)[0]  # <- AOTI348

        torch.export.export(Net(), (torch.ones(4, 3),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                x = x.clone().requires_grad_(True)
                energy = x.square().sum(-1).pow(0.5).sum()
                return torch.autograd.grad(energy, x)[0]

        torch.export.export(Net(), (torch.ones(4, 3),))

    How to debug:
        Leave out one function after the other; `grep -n "self: .*result" derivatives.yaml` in the sources of torch says
        whose derivative is made of its result.

    Sources:
        Run on torch 2.13 (this project's tests): 180 functions and layers. With `strict=True` no gradient is taken at
        all (AOTI344). `make_fx(model)(*inputs)` gives a module that can be exported, for these sizes.
    """

    code = "AOTI348"
    name = "gradient-in-forward"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, use, failing, confidence in data_uses(facts, self.exports(facts), "kept"):
            yield self.found(
                facts,
                event,
                confidence,
                f"the gradient of {use.name} takes what autograd kept of it, which an export does not see: it raises",
                span=use.span,
                failing=failing & _RUN_ON,
                label="taken here",
                related=(Related(event.span, "exported here"),),
                help="use functions whose gradients are made of what goes in (x.pow(0.5) for x.sqrt(), x @ weight.T "
                "for Linear), or export what torch.fx.experimental.proxy_tensor.make_fx(model)(*inputs) gives",
                symptom="export-error",
            )
