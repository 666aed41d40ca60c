"""AOTI719."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches
from aoti_lint.rule.events import ApiCall

from ._forward import met

_MAKING = frozenset({
    "torch.nested.nested_tensor", "torch.nested.as_nested_tensor", "torch.nested.nested_tensor_from_jagged",
})  # fmt: skip
_RAISED = ("RuntimeError", "UnsupportedOperatorException", "Unsupported")
_RUN_ON = VersionSet.since("2.13")


class NestedTensorMade(Rule):
    """The forward of an exported model makes a nested tensor.

    What happens:
        The export raises: `UnsupportedOperatorException: aten._nested_tensor_from_tensor_list.default`, of a jagged one
        `RuntimeError: Unable to cast NotImplemented to Tensor` or `torch.nested.nested_tensor_from_jagged does not
        support tracing`; with `strict=True` `Unsupported: Attempted to use strided NestedTensor`. `torch.onnx.export`
        raises `TorchExportError`.

    Why:
        Tracing has no values, and what makes a nested tensor looks at the sizes of its parts.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, a, b):
                both = torch.nested.nested_tensor([a, b])  # <- AOTI719
                return torch.nested.to_padded_tensor(both, 0.0)

        program = torch.export.export(Net(), (torch.randn(2, 8), torch.randn(3, 8)))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, a, b):
                return torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True)

        program = torch.export.export(Net(), (torch.randn(2, 8), torch.randn(3, 8)))

    How to debug:
        Make the nested tensor before the call, and give its values and offsets, or a padded tensor and its lengths, to
        the model.

    Sources:
        Run on torch 2.13 (this project's tests): both layouts, with `strict=True` and without.
    """

    code = "AOTI719"
    name = "nested-tensor-made"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in self.exports(facts):
            making = (call for call in facts.during(event, ApiCall) if call.name in _MAKING)
            for call, sure in met(event, making):
                versions = call.versions & _RUN_ON
                if versions and not catches(call.caught | call.expected, *_RAISED):
                    yield self.found(
                        facts,
                        call,
                        sure,
                        "an exported forward cannot make a nested tensor: the export raises",
                        failing=versions,
                        label="made here",
                        related=(Related(event.span, "exported here"),),
                        help="pad the parts, or make it outside and give its values and offsets to the model",
                        symptom="export-error",
                    )
