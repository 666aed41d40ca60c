"""AOTI701."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, judge, weaker
from aoti_lint.rule.events import CallEvent, CompileEvent, Exporting, ModeUse, OnnxExport, SaveEvent
from aoti_lint.rule.values import Const, Value

from ._kept import exports_called, exports_kept
from ._late import MODE, Late, late_uses

TOLD = "give it training=self.training, or training=True if that is meant: without, it drops in both modes"
SHOWN = 3
"""Layers shown of those in training mode."""


class ExportedInTrainingMode(Rule):
    """A model is exported while dropout or batch normalisation is in training mode.

    What happens:
        Dropout stays in the program: the same input gives another result at every call. Batch normalisation uses the
        statistics of the batch it is given, so a row's result depends on the rows beside it. Neither export, compile
        nor call says a word, and it cannot be repaired afterwards: `program.module().eval()` raises
        `NotImplementedError: Calling eval() is not supported yet.` For ONNX (`torch.onnx.export` of torch 2.9 and
        later) dropout stays too, and batch normalisation does not: the older exporter turned both off by itself.

    Why:
        Export traces the model as it is, and modules are born in training mode; `load_state_dict` does not change that.
        An `eval()` that comes after the export switches the model and not the program. `model.training = False`
        switches the model and none of the layers inside. `torch.nn.functional.dropout(x)` drops in both modes, unless
        it is given `training=self.training`. Layers with dropout 0, and norms without running statistics, do the same
        in both modes.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 8)
                self.drop = torch.nn.Dropout(0.5)

            def forward(self, x):
                return self.drop(self.fc(x))

        program = torch.export.export(Net(), (torch.randn(4, 8),))  # <- AOTI701
        torch._inductor.aoti_compile_and_package(program)

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 8)
                self.drop = torch.nn.Dropout(0.5)

            def forward(self, x):
                return self.drop(self.fc(x))

        program = torch.export.export(Net().eval(), (torch.randn(4, 8),))
        torch._inductor.aoti_compile_and_package(program)

    How to debug:
        Call the program twice with one input and compare: `torch.equal(run(x), run(x))`. `print(program)` shows
        `aten.dropout.default(…, 0.5, True)`.

    Sources:
        `torch.onnx.export(…, dynamo=True)` run on torch 2.13 with onnxscript 0.7.2: the model for ONNX has a `Dropout`
        with `training_mode`, and a `BatchNormalization` without. With `dynamo=False` it goes to evaluation mode
        (2.13.0, `torch/onnx/_internal/torchscript_exporter/utils.py`, `select_model_mode_for_export`).
        Run on torch 2.13: the layers and functions of `torch.nn` that are spoken of, in both modes.
        https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.eval
    """

    code = "AOTI701"
    name = "exported-in-training-mode"
    onnx = True
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "some models mean it: Monte Carlo dropout, adaptation to the batch"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        kept = {(e.root, span) for e in facts.of(CompileEvent, SaveEvent) for span in exports_kept(e)}
        late = {(one.export.root, one.export.span): one for one in late_uses(facts) if one.event.name == MODE}
        called = {(e.root, span) for e in facts.of(CallEvent) if e.inferring for span in exports_called(e)}
        found: dict[Span, tuple[Confidence, Exporting, list[ModeUse]]] = {}
        for event in self.exports(facts):
            # What is neither compiled nor saved may be trained, or quantised first. And some mean it in a package
            # too: Monte Carlo dropout, adaptation to the batch. None of them calls eval() afterwards.
            place = event.root, event.span
            # A BatchNormalization for ONNX uses the statistics that it learned.
            kinds = ("dropout",) if isinstance(event, OnnxExport) else ("dropout", "norm")
            judged = [
                (use, verdict[0])
                for use in event.modes
                if use.effect in kinds
                and (verdict := judge([use.reached, use.training, use.needs, use.layers], event.path, is_alive))
            ]
            saved = event.saved if isinstance(event, OnnxExport) else place in kept or place in late
            # A norm called without gradients may be compared with the model, which has the same mode.
            used = place in called and any(use.effect == "dropout" for use, _ in judged)
            most = Confidence.LIKELY if saved or used or any(use.untold for use, _ in judged) else Confidence.POSSIBLE
            alive: dict[Confidence, list[ModeUse]] = {}
            for use, sure in judged:
                alive.setdefault(weaker(most, sure), []).append(use)
            for confidence in (Confidence.LIKELY, Confidence.POSSIBLE):
                known = found.get(event.span)
                if confidence in alive and (known is None or known[0] is Confidence.POSSIBLE):
                    found[event.span] = confidence, event, alive[confidence]
                    break
        for confidence, event, uses in found.values():
            yield self._report(facts, event, uses, confidence, late.get((event.root, event.span)))

    def _report(
        self, facts: Facts, event: Exporting, uses: list[ModeUse], confidence: Confidence, late: Late | None
    ) -> Diagnostic:
        effects = {"dropout": "the same input gives another result at every call",
                   "norm": "it normalises with the statistics of its input, not with those it learned"}  # fmt: skip
        what = [effects[effect] for effect in effects if any(use.effect == effect for use in uses)]
        names = list(dict.fromkeys(use.name for use in uses))
        shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
        first = {use.span: use for use in reversed(uses)}
        always = any(name.startswith(("torch.nn.functional.", "torch.dropout")) for name in names)
        untold = all(use.untold for use in uses)
        return self.found(
            facts,
            event,
            confidence,
            f"exported with {shown} in training mode{', though the model is not' * untold}: {', and '.join(what)}",
            label="exported here" if untold else "the model is in training mode here",
            related=(
                *(Related(span, f"{use.name} is called here") for span, use in list(first.items())[-SHOWN:]),
                *([] if late is None else [Related(late.event.span, "this comes too late for the program")]),
            ),
            help=TOLD
            if untold
            else "call model.eval() before the export"
            + ("; give functions of torch.nn.functional training=self.training" if always else ""),
            symptom="wrong-result",
        )


def is_alive(values: list[Value]) -> bool | None:
    """Whether a layer or function (see `ModeUse`) behaves as in training; None if that is not known."""
    *conditions, layers = values
    if layers == Const(1) or any(isinstance(one, Const) and not one.value for one in conditions):
        return False
    return True if all(isinstance(one, Const) for one in values) else None
