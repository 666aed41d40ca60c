"""AOTI713."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches, weaker
from aoti_lint.rule.events import ExportEvent
from aoti_lint.rule.values import FALSE, TRUE, Program

from ._forward import met


class LayerMadeInForward(Rule):
    """The forward of an exported model makes a layer that has weights.

    What happens:
        The export and the compile succeed. The program draws new weights at every call: the same input gives other
        results each time, and none of them was trained. With `strict=True`: `Attempted to use torch.nn.Parameter() with
        export`.

    Why:
        What a forward does is what the program does at each call, the filling of new weights with random numbers as
        well. The layer is in no `state_dict`, so nothing that was loaded reaches it.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.nn.Linear(8, 4)(x)  # <- AOTI713

        torch.export.export(Net(), (torch.randn(2, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)

        torch.export.export(Net(), (torch.randn(2, 8),))

    How to debug:
        Call the program twice with the same input. `program.graph_signature.parameters` lacks the weights of the layer.

    Sources:
        Run on torch 2.13, with and without `strict=True`.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI713"
    name = "layer-made-in-forward"
    outcome = Outcome.SILENTLY_WRONG
    doubt = "something may give it other weights before it is used"

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        strict = event.program.strict if isinstance(event.program, Program) else FALSE
        if strict != FALSE and catches(event.caught | event.expected, "Exception"):
            return
        for made, sure in met(event, event.layers):
            raises = strict == TRUE
            yield self.found(
                facts,
                event,
                # What gives it other weights before it is used is not looked for.
                weaker(sure, Confidence.LIKELY),
                f"this {made.layer} is made anew by each call of the program, with new random weights"
                if not raises
                else f"this {made.layer} is made in forward, where an export with strict=True raises",
                span=made.span,
                label="made in forward",
                related=(Related(event.span, "exported here"),),
                help="make it in __init__ and keep it in an attribute of the module",
                outcome=Outcome.RAISES_AT_EXPORT if raises else self.outcome,
            )
            return
