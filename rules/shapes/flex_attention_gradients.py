"""AOTI347."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches
from aoti_lint.rule.events import ControlCall, Exporting

from ..model._forward import met

_RUN_ON = VersionSet.since("2.13")
_SAID = "flex_attention on the CPU takes no tensor that wants a gradient, as all that weights make does"
_HELP = "run it under torch.no_grad(), or on a GPU; or use scaled_dot_product_attention"


class FlexAttentionGradients(Rule):
    """`flex_attention` is given tensors on the CPU that want a gradient.

    What happens:
        The call raises, in an export and in what is compiled as well: `NotImplementedError: FlexAttention does not
        support backward on CPU. Please set the input requires_grad to False or use another device.`

    Why:
        It has no backward pass on the CPU, and asks the tensors, not whether there will be one. What a layer with
        weights gives wants a gradient, unless autograd is off; `model.eval()` does not change that.

    Bad:
        import torch
        from torch.nn.attention.flex_attention import flex_attention

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(16, 16)

            def forward(self, x):
                y = self.project(x)
                return flex_attention(y, y, y)  # <- AOTI347

        torch.export.export(Net().eval(), (torch.randn(1, 2, 128, 16),))

    Good:
        import torch
        from torch.nn.attention.flex_attention import flex_attention

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(16, 16)

            def forward(self, x):
                y = self.project(x)
                return flex_attention(y, y, y)

        with torch.no_grad():
            torch.export.export(Net().eval(), (torch.randn(1, 2, 128, 16),))

    How to debug:
        `print(query.requires_grad, query.device)` before the call.

    Sources:
        Run on torch 2.13: called, compiled and exported (this project's tests). `torch/nn/attention/flex_attention.py`,
        `_validate_device`, of release 2.13.0.
        https://docs.pytorch.org/docs/stable/nn.attention.flex_attention.html
    """

    code = "AOTI347"
    name = "flex-attention-gradients"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        if catches(event.caught | event.expected, "RuntimeError", "NotImplementedError"):
            return
        for fault, sure in met(event, event.control):
            if fault.kind == "gradient":
                yield self.found(
                    facts,
                    event,
                    sure,
                    f"{_SAID}: the export raises",
                    span=fault.span,
                    failing=event.versions & _RUN_ON,
                    label="called here",
                    related=(Related(event.span, "exported here"),),
                    help=_HELP,
                    symptom="export-error",
                )
                return

    def on_control_call(self, facts: Facts, event: ControlCall) -> Iterator[Diagnostic]:
        if event.fault.kind != "gradient":
            return
        if not catches(event.caught | event.expected, "RuntimeError", "NotImplementedError"):
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                f"{_SAID}: the call raises",
                outcome=Outcome.RAISES_AT_CALL,
                failing=event.versions & _RUN_ON,
                label="called here",
                help=_HELP,
            )
