"""AOTI232."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, VersionSet, weaker
from aoti_lint.rule.events import ApiCall, OnnxExport
from aoti_lint.rule.shapes import flat_tensors
from aoti_lint.rule.values import FALSE, Class, Const, Program, Tensor, Value

from ..model._forward import met

_APPLY = "torch.autograd.Function.apply()"
_EXPORT = "torch.onnx.export"
_REGISTERING = ".register_custom_op_symbolic"
_RUN_ON = VersionSet.since("2.9")
_INSTEAD = (
    "export with dynamo=False; or make it a torch.library.custom_op, and say what it is in custom_translation_table"
)


_OF_TORCH = ("", "aten", "prim", "quantized", "torch")
"""Namespaces of ops that a forward calls by other names."""


class SymbolicNotUsed(Rule):
    """A model is exported to ONNX with a function that says in `symbolic` what it is there, and nobody asks it.

    What happens:
        Nothing is said. The file has what the function's `forward` does in the place of the operator that `symbolic`
        names: where that is a stand-in, its random numbers or zeros are the outputs of the model. What
        `register_custom_op_symbolic` is given has no effect either; of an op that nothing else translates the export
        raises `ConversionError`.

    Why:
        Since 2.9 `torch.onnx.export` exports with `torch.export`, which traces `forward` as it is. `symbolic` belongs
        to the exporter before, which is there with `dynamo=False`.

    Bad:
        import torch

        class Boxes(torch.autograd.Function):
            @staticmethod
            def forward(ctx, boxes, scores):
                return torch.zeros(100, 4)

            @staticmethod
            def symbolic(g, boxes, scores):
                return g.op("TRT::EfficientNMS_TRT", boxes, scores)

        class Net(torch.nn.Module):
            def forward(self, boxes, scores):
                return Boxes.apply(boxes, scores)  # <- AOTI232

        torch.onnx.export(Net(), (torch.randn(50, 4), torch.randn(50)), "net.onnx", dynamo=True)

    Good:
        import torch

        class Boxes(torch.autograd.Function):
            @staticmethod
            def forward(ctx, boxes, scores):
                return torch.zeros(100, 4)

            @staticmethod
            def symbolic(g, boxes, scores):
                return g.op("TRT::EfficientNMS_TRT", boxes, scores)

        class Net(torch.nn.Module):
            def forward(self, boxes, scores):
                return Boxes.apply(boxes, scores)

        torch.onnx.export(Net(), (torch.randn(50, 4), torch.randn(50)), "net.onnx", dynamo=False)

    How to debug:
        `torch.onnx.export` returns the model: print `{node.op_type for node in made.model.graph}`.

    Sources:
        Run on torch 2.13 with onnxscript 0.7.2, `dynamo=True` and `dynamo=False`.
        https://docs.pytorch.org/docs/stable/onnx_export.html
    """

    code = "AOTI232"
    name = "symbolic-not-used"
    of_releases = True
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "where forward computes the same, nothing is lost but the operator's name"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set[Span]()
        # What another export of the same run asks for is registered for that one.
        older = {one.root for one in facts.of(ApiCall) if one.name == _EXPORT and one.kwargs.get("dynamo") == FALSE}
        registered = [call for call in facts.of(ApiCall) if call.name.endswith(_REGISTERING) and call.root not in older]
        applied: dict[Span, list[tuple[OnnxExport, ApiCall, Confidence]]] = {}
        for event in facts.of(OnnxExport):
            for call in registered:
                if call.root != event.root or call.order > event.order or not event.versions & _RUN_ON:
                    continue
                if not _is_apart(call, event.program):
                    yield from self._registered(facts, event, call, told)
            made = (call for call in facts.during(event, ApiCall) if call.name == _APPLY)
            for call, sure in met(event, made):
                if call.span not in told and call.versions & _RUN_ON:
                    told.add(call.span)
                    applied.setdefault(event.span, []).append((event, call, weaker(sure, Confidence.LIKELY)))
        for those in applied.values():
            # What a flag may choose is told apart from what is surely exported.
            for sure in dict.fromkeys(one for _, _, one in those):
                yield self._applied(facts, [one for one in those if one[2] is sure])

    def _applied(self, facts: Facts, those: list[tuple[OnnxExport, ApiCall, Confidence]]) -> Diagnostic:
        """What functions are in ONNX is said in their classes; of several, one export is to blame."""
        event, call, sure = those[0]
        several = len(those) > 1
        cls = call.receiver.name if isinstance(call.receiver, Class) else "the function"
        said = (
            f"{len(those)} functions that are exported here say in `symbolic` what they are in ONNX, and this exporter "
            "asks none: it exports what their forwards do"
            if several
            else f"{cls} says in `symbolic` what it is in ONNX, and this exporter does not ask: it exports what "
            "forward does"
        )
        applied = (Related(one.span, "its forward is exported") for _, one, _ in those)
        return self.found(
            facts,
            event if several else call,
            sure,
            said,
            failing=call.versions & _RUN_ON,
            label="exported here" if several else "its forward is exported",
            related=tuple(applied) if several else (Related(event.span, "exported here"),),
            help=_INSTEAD,
            symptom="wrong-result",
        )

    def _registered(self, facts: Facts, event: OnnxExport, call: ApiCall, told: set[Span]) -> Iterator[Diagnostic]:
        """What an op is in ONNX is said to the exporter before."""
        if call.span not in told:
            told.add(call.span)
            yield self.found(
                facts,
                call,
                Confidence.LIKELY,
                "what is registered here is not asked for: this exporter knows no symbolic functions",
                failing=event.versions & _RUN_ON,
                outcome=Outcome.NO_EFFECT,
                label="without effect",
                related=(Related(event.span, "exported here"),),
                help=_INSTEAD,
            )


def _is_apart(call: ApiCall, program: Value) -> bool:
    """Whether a custom op that is registered is surely none of those that the exported forward calls."""
    name = call.arg(0, "symbolic_name")
    if not isinstance(program, Program) or not isinstance(name, Const) or not isinstance(name.value, str):
        return False
    outputs = list(flat_tensors(program.outputs))
    followed = bool(outputs) and all(isinstance(one, Tensor) for one in outputs)
    custom = name.value.partition("::")[0] not in _OF_TORCH
    return followed and custom and all(op.partition(".")[0] != name.value for op, _ in program.ops)
