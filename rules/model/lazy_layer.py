"""AOTI727."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, catches
from aoti_lint.rule.events import ExportEvent
from aoti_lint.rule.shapes import non_strict
from aoti_lint.rule.values import Program


class LazyLayer(Rule):
    """A model with lazy layers is exported before it was called for the first time.

    What happens:
        `ValueError: Attempted to use an uninitialized parameter in <method '_is_view' of 'torch._C.TensorBase'
        objects>`. With `strict=True` the forward runs before the weights are looked at, and the export goes through.

    Why:
        `torch.nn.LazyLinear` and its like take the sizes of their weights from the first tensor they are called with,
        or from a state dict. Before that they have none that an export could make inputs of.

    Bad:
        import torch

        model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(3)).eval()
        program = torch.export.export(model, (torch.randn(1, 2, 4),))  # <- AOTI727

    Good:
        import torch

        model, x = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(3)).eval(), torch.randn(1, 2, 4)
        with torch.no_grad():
            model(x)
        program = torch.export.export(model, (x,))

    How to debug:
        `print(model)`: what still says `LazyLinear(in_features=0, …)` has no weights; it is a `Linear` then.

    Sources:
        Run on torch 2.13: `LazyLinear`, `LazyConv2d` and `LazyBatchNorm1d`, with and without `strict=True`, after a
        call, after `load_state_dict`, and as a draft.
        https://docs.pytorch.org/docs/stable/generated/torch.nn.modules.lazy.LazyModuleMixin.html
    """

    code = "AOTI727"
    name = "lazy-layer"
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        failing = event.versions & non_strict(event.program) if isinstance(event.program, Program) else None
        if not event.lazy or not failing or catches(event.caught | event.expected, "ValueError"):
            return
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{event.lazy[0].removeprefix('torch.nn.')} has no weights before its first call: the export raises",
            failing=failing,
            label="exported here, without a call before",
            help="call the model once with the example inputs before",
        )
