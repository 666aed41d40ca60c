"""AOTI709."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Related, Rule, catches
from aoti_lint.rule.events import ExportEvent, InferenceUse
from aoti_lint.rule.values import FALSE, NONE, Program

from ..package._imports import reach
from ._kept import RUN_ON, sure

_FROZEN = r"requires_grad|freeze|is_inference"
_APIS = ("torch.export.export", "torch.export.draft_export", "torch.export._draft_export.draft_export")
_SAID = {
    "weights": "the weights of this model were made in inference mode, and it is exported outside",
    "saved": "this layer gets a tensor made in inference mode, and the export is outside of it",
    "changed": "a tensor made in inference mode is changed here, and the export is outside of it",
}
_LABELS = {"weights": "exported outside", "saved": "autograd cannot keep its input", "changed": "changed in place"}
_HELP = {
    "weights": "make and load the model outside of torch.inference_mode()",
    "saved": "export under torch.no_grad(), or give the export x.clone()",
    "changed": "make the tensor outside of torch.inference_mode()",
}


class MadeInInferenceMode(Rule):
    """A model or its example inputs are made inside `torch.inference_mode()`, and the export is outside of it.

    What happens:
        With parameters that want a gradient, the export raises `RuntimeError: Setting requires_grad=True on inference
        tensor outside InferenceMode is not allowed.` or `Inference tensors cannot be saved for backward.`, and so it
        does for inputs. A buffer that forward changes raises `Inplace update to inference tensor outside InferenceMode
        is not allowed.`

    Why:
        Tensors made in inference mode can never take part in autograd, which traces a model that is not exported with
        `strict=True`. Nothing is wrong where all of it is inside, the export too, or where the model is made outside
        and called inside.

    Bad:
        import torch

        @torch.inference_mode()
        def load_model():
            return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).eval()

        model = load_model()
        program = torch.export.export(model, (torch.ones(2, 4),))  # <- AOTI709

    Good:
        import torch

        def load_model():
            return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).eval()

        model = load_model()
        with torch.inference_mode():
            program = torch.export.export(model, (torch.ones(2, 4),))

    How to debug:
        `[name for name, p in model.named_parameters() if p.is_inference()]`, and `x.is_inference()` of the inputs.
        `copy.deepcopy(model)` made outside is a model of normal tensors.

    Sources:
        Run on torch 2.13, strict and not: 13 models, 20 layers, moves, casts and copies. `.to("cpu")` of what is on
        the CPU changes nothing, another device or dtype makes normal tensors. pytorch#161191
    """

    code = "AOTI709"
    name = "made-in-inference-mode"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(ExportEvent):
            said = set()
            program = event.program
            failing = event.versions & RUN_ON
            if not (failing and isinstance(program, Program) and program.api in _APIS):
                continue
            if program.strict not in (NONE, FALSE) or catches(event.caught | event.expected, "RuntimeError"):
                continue
            for use in event.inference:
                if (use.kind, use.span) not in said and not self._may_be_frozen(facts, event, use):
                    said.add((use.kind, use.span))
                    yield self.found(
                        facts,
                        event,
                        sure(event, use.path),
                        _SAID[use.kind],
                        span=use.span,
                        failing=failing,
                        label=_LABELS[use.kind],
                        related=(
                            Related(use.made, "made in inference mode"),
                            *((Related(program.span, "exported here"),) if use.span != program.span else ()),
                        ),
                        help=_HELP[use.kind],
                    )
                    break

    def _may_be_frozen(self, facts: Facts, event: ExportEvent, use: InferenceUse) -> bool:
        """Whether some code may take the wish for a gradient from parameters, which makes them harmless."""
        paths = {event.root.split("::")[0], event.span.path}
        return use.kind != "changed" and any(reach(facts, path).mentions(_FROZEN) for path in paths)
