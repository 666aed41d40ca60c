"""AOTI229."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches
from aoti_lint.rule.events import ApiCall, OnnxExport, OpDefinition, OpImpl
from aoti_lint.rule.ops import base_name, op_key
from aoti_lint.rule.values import NONE, Const, Program

_WHOLE = ("torch.library.custom_op", "torch.library.triton_op")
"""What makes ops that no decomposition takes apart."""
_APART = "CompositeImplicitAutograd"
"""The key of kernels that tracing goes through, so that nothing of the op is left."""
_TABLE = "custom_translation_table"
_RUN_ON = VersionSet.since("2.13")


class NoOnnxTranslation(Rule):
    """A model with a custom operator is exported to ONNX, and nothing says what the operator is there.

    What happens:
        `torch.onnx.export` raises `ConversionError`: `No ONNX function found for <OpOverload(op='shop.twice',
        overload='default')>. Failure message: No decompositions registered for the real-valued input`.

    Why:
        Operators of torch have translations, and others are taken apart into them. Of a custom one ONNX knows the name.

    Bad:
        import torch

        @torch.library.custom_op("shop::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)

        torch.onnx.export(Net(), (torch.randn(4),), "net.onnx", dynamo=True)  # <- AOTI229

    Good:
        import torch
        from onnxscript import opset18

        @torch.library.custom_op("shop::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)

        def translated(x):
            return opset18.Add(x, x)

        table = {torch.ops.shop.twice.default: translated}
        torch.onnx.export(Net(), (torch.randn(4),), "net.onnx", dynamo=True, custom_translation_table=table)

    How to debug:
        `torch.onnx.export(…, report=True)` writes down which nodes have a translation.

    Sources:
        Run on torch 2.13 with onnxscript 0.7.2 (this project's tests): `custom_op`, `triton_op`, and operators of
        `Library.define` with kernels of each key.
        https://docs.pytorch.org/tutorials/beginner/onnx/onnx_registry_tutorial.html
    """

    code = "AOTI229"
    name = "no-onnx-translation"
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "the forward may not come to the call"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        tables = {call.span for call in facts.of(ApiCall) if call.open or call.arg(None, _TABLE) not in (None, NONE)}
        for event in facts.of(OnnxExport):
            program, versions = event.program, event.versions & _RUN_ON
            if not isinstance(program, Program) or event.span in tables or not versions:
                continue
            if catches(event.caught | event.expected, "ConversionError", "OnnxExporterError", "RuntimeError"):
                continue
            for op, place in program.ops:
                if _is_whole(facts, op):
                    yield self.found(
                        facts,
                        event,
                        Confidence.LIKELY,
                        f"nothing says what {base_name(op)} is in ONNX: the export raises",
                        failing=versions,
                        label="exported here",
                        related=(Related(place, "called here"),),
                        help=f"give the export a {_TABLE} with the op and a function of onnxscript",
                        symptom="export-error",
                    )
                    break


def _is_whole(facts: Facts, op: str) -> bool:
    """Whether an op surely is in the program as it is, for all that is registered for it."""
    name = base_name(op)
    made = [one for one in facts.of(OpDefinition) if base_name(op_key(one.op)) == name]
    kernels = [one for one in facts.of(OpImpl) if base_name(op_key(one.op)) == name and not one.is_fake]
    if any(key == Const(_APART) or not isinstance(key, Const) for one in kernels for key in one.keys):
        return False
    return bool(made) and all(one.api.startswith(_WHOLE) or kernels for one in made)
