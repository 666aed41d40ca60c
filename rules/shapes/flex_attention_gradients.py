"""AOTI347."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule
from aoti_lint.rule.events import ControlCall, ControlFault, Exporting

from ._flex_attention import in_call, in_export

_RAISED = ("RuntimeError", "NotImplementedError")
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
        yield from in_export(self, facts, event, _said, _RAISED)

    def on_control_call(self, facts: Facts, event: ControlCall) -> Iterator[Diagnostic]:
        yield from in_call(self, facts, event, _said, _RAISED)


def _said(fault: ControlFault) -> tuple[str, str] | None:
    return (_SAID, _HELP) if fault.kind == "gradient" else None
