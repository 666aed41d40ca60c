"""AOTI526."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Obj

from ._compile import mentions

_ASKED = "isinstance() of what torch.compile gave"


class ClassOfCompiled(Rule):
    """A compiled model is asked whether it is of the class of the model inside, which it is not.

    What happens:
        `isinstance(model, Net)` is False once `model = torch.compile(Net())`: the branch for a `Net` is not taken, and
        nothing says so. `type(model)` is `OptimizedModule`.

    Why:
        `torch.compile` gives a module of a class of its own, which hands on attributes and calls. The model that it was
        given is its `_orig_mod`. `model.compile()` compiles in place, and the model stays what it is.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 2)
                self.threshold = 0.5

            def forward(self, x):
                return self.fc(x) > self.threshold

        model = torch.compile(Net())
        if isinstance(model, Net):  # <- AOTI526
            model.threshold = 0.9

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 2)
                self.threshold = 0.5

            def forward(self, x):
                return self.fc(x) > self.threshold

        model = Net()
        model.compile()
        if isinstance(model, Net):
            model.threshold = 0.9

    How to debug:
        `print(type(model))`.

    Sources:
        Run on torch 2.13. `torch/_dynamo/eval_frame.py`, `OptimizedModule`, of release 2.13.0.
    """

    code = "AOTI526"
    name = "class-of-compiled"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "it may be meant"

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        model = event.args[0] if event.name == _ASKED and event.args else None
        if not isinstance(model, Obj) or model.compiled is None:
            return
        if _expects(facts, event.span) or mentions(facts, event, "OptimizedModule"):
            return
        yield self.found(
            facts,
            event,
            Confidence.LIKELY,
            "a compiled model is no instance of the class of the model inside: this is False",
            label="asked here",
            related=(Related(model.compiled.span, "compiled here"),),
            help="compile in place with model.compile(), or ask for the class of model._orig_mod",
        )


def _expects(facts: Facts, asked: Span) -> bool:
    """Whether the answer is the one that is asserted."""
    source = facts.project.source(asked.path)
    before = b"" if source is None else source.code.encode("utf-8", "surrogatepass")[: asked.start]
    return re.search(rb"\bassert\s+not\s*\(?\s*$", before[-40:]) is not None
