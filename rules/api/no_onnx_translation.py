"""AOTI229."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches, weaker
from aoti_lint.rule.events import ApiCall, OnnxExport, OpDefinition, OpImpl
from aoti_lint.rule.ops import base_name, op_key
from aoti_lint.rule.torch import api, untranslated
from aoti_lint.rule.values import NONE, Const, Program

from ..model._forward import met

_WHOLE = ("torch.library.custom_op", "torch.library.triton_op")
"""What makes ops that no decomposition takes apart."""
_APART = "CompositeImplicitAutograd"
"""The key of kernels that tracing goes through, so that nothing of the op is left."""
_TABLE = "custom_translation_table"
_RUN_ON = VersionSet.since("2.13")


class NoOnnxTranslation(Rule):
    """A model is exported to ONNX with an operator, often a custom one, of which nothing says what it is there.

    What happens:
        `torch.onnx.export` raises `ConversionError`: `No ONNX function found for <OpOverload(op='shop.twice',
        overload='default')>. Failure message: No decompositions registered for the real-valued input`.

    Why:
        Most operators of torch have translations, and others are taken apart into them; `cdist`, `cumprod`, `median`,
        `linalg.inv` and 80 more are neither. Of a custom one ONNX knows the name.

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

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return torch.cdist(x, y).median()  # <- AOTI229

        torch.onnx.export(Net(), (torch.randn(4, 3), torch.randn(4, 3)), "net.onnx", dynamo=True)

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
        `Library.define` with kernels of each key; 421 functions of torch, of which 88 have none.
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
            call = next(met(event, filter(_is_untranslated, facts.during(event, ApiCall))), None)
            if call is not None:
                yield self.found(
                    facts,
                    call[0],
                    weaker(call[1], Confidence.LIKELY),
                    f"{call[0].name.replace('torch.Tensor.', 'Tensor.')} has no translation to ONNX: the export raises",
                    failing=versions,
                    label="called here",
                    related=(Related(event.span, "exported here"),),
                    help=f"write it with other operations, or give the export a {_TABLE}; dynamo=False has others",
                    symptom="export-error",
                )
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


def _is_untranslated(call: ApiCall) -> bool:
    return call.name in untranslated.OPERATIONS or api.canonical(call.name) in untranslated.OPERATIONS


def _is_whole(facts: Facts, op: str) -> bool:
    """Whether an op surely is in the program as it is, for all that is registered for it."""
    name = base_name(op)
    made = [one for one in facts.of(OpDefinition) if base_name(op_key(one.op)) == name]
    kernels = [one for one in facts.of(OpImpl) if base_name(op_key(one.op)) == name and not one.is_fake]
    if any(key == Const(_APART) or not isinstance(key, Const) for one in kernels for key in one.keys):
        return False
    return bool(made) and all(one.api.startswith(_WHOLE) or kernels for one in made)
