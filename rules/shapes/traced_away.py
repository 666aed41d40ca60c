"""AOTI353."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.events import ScriptTrace
from aoti_lint.rule.values import Program

from ._data import SAID
from ._guards import sure, written

_OF_DATA = {
    **{kind: SAID[kind] for kind in ("truth", "number", "size", "rounds")},
    "key": "what is looked up hangs on the values of a tensor",
    "read": "{name} makes a number of a value in a tensor",
    "needed": "{name} makes a number of a value in a tensor",
}
"""What is said of what Python asks of values, by the kind of use."""
_OF_SIZES = {
    "int": "int() makes a number of {size}",
    "float": "float() makes a number of {size}",
    "len": "len() makes a number of {size}",
    "range": "a loop has as many rounds as {size} says",
    "items": "as many items are made as {size} says",
}
"""The same for dynamic sizes, by the kind of guard."""
_NUMBERS = ("int()", "float()", "math.")
"""What functions begin with that make a number of a tensor."""
_STAY = "stay with tensors, for an `if` torch.where(condition, a, b); or export with dynamo=True"
_SIZES = "calculate with the size as it is, and on the whole tensor at once; or export with dynamo=True"


class TracedAway(Rule):
    """A model is exported to ONNX by tracing, and Python decides in its forward by values, or by sizes that may vary.

    What happens:
        `torch.onnx.export(…, dynamo=False)` says it in a `TracerWarning`: `Converting a tensor to a Python boolean
        might cause the trace to be incorrect`, and writes the file. It takes the way of the example: for other values,
        or other sizes of a dimension that `dynamic_axes` names, it gives wrong numbers, or the runtime refuses them.

    Why:
        This exporter runs the forward once and writes down which operators ran. What Python did with the numbers in
        between, an `if`, a loop, `int(…)` or `len(…)`, leaves no trace. A size itself stays dynamic, as in
        `x.view(x.shape[0], -1)`.

    Bad:
        # torch: 2.13
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if x.mean() > 0:  # <- AOTI353
                    x = x * 0.5
                out = []
                for i in range(x.shape[1]):  # <- AOTI353
                    out.append(x[:, i].sum())
                return torch.stack(out)

        axes = {"x": {1: "time"}}
        x = torch.randn(2, 5)
        torch.onnx.export(Net(), (x,), "net.onnx", input_names=["x"], dynamic_axes=axes, dynamo=False)

    Good:
        # torch: 2.13
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                x = torch.where(x.mean() > 0, x * 0.5, x)
                return x.view(x.shape[0], -1).sum(0)

        axes = {"x": {1: "time"}}
        x = torch.randn(2, 5)
        torch.onnx.export(Net(), (x,), "net.onnx", input_names=["x"], dynamic_axes=axes, dynamo=False)

    How to debug:
        Each `TracerWarning` names its line. Run the file on an input for which the forward goes the other way, and
        compare.

    Sources:
        Run on torch 2.13 with onnxscript 0.7.2 and the reference runtime of onnx: each of the forms above.
        https://docs.pytorch.org/docs/2.13/onnx_torchscript.html
    """

    code = "AOTI353"
    name = "traced-away"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(ScriptTrace):
            if not isinstance(event.program, Program):
                continue
            told = set[Span]()
            for use in event.data:
                told_of = use.kind in _OF_DATA and (use.kind not in ("read", "needed") or use.name.startswith(_NUMBERS))
                confidence = sure(event, use)
                if told_of and confidence is not None and not use.only_checks and use.span not in told:
                    told.add(use.span)
                    what = _OF_DATA[use.kind].format(name=use.name)
                    yield self._told(facts, event, use.span, confidence, what, _STAY)
            for guard in event.guards:
                confidence = sure(event, guard)
                if guard.kind in _OF_SIZES and confidence is not None and guard.span not in told:
                    told.add(guard.span)
                    what = _OF_SIZES[guard.kind].format(size=written(event, guard.left))
                    yield self._told(facts, event, guard.span, confidence, what, _SIZES)

    def _told(
        self, facts: Facts, event: ScriptTrace, span: Span, confidence: Confidence, what: str, advice: str
    ) -> Diagnostic:
        # Where it hangs on an answer that is only the usual one, the author may know that no trace comes there.
        certain = confidence is Confidence.CERTAIN
        return self.found(
            facts,
            event,
            confidence if certain else Confidence.POSSIBLE,
            f"{what} while the model is traced: the file keeps what that was for the example",
            span=span,
            label="here",
            related=(Related(event.span, "traced here"),),
            help=advice,
            symptom="wrong-result",
        )
