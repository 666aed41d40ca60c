"""AOTI527."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity
from aoti_lint.rule.events import ApiCall

_COMPILED = "torch.nn.Module.compile()"


class ResultOfCompileInPlace(Rule):
    """What `model.compile()` gives is used: it gives None.

    What happens:
        `TypeError: 'NoneType' object is not callable` where the result is called, or another error that speaks of None.

    Why:
        `model.compile()` compiles the model that it is called on, and returns nothing. `torch.compile(model)` returns a
        compiled model, and leaves the one that it is given as it is.

    Bad:
        import torch

        model = torch.nn.Linear(8, 2).compile(mode="max-autotune")  # <- AOTI527

    Good:
        import torch

        model = torch.nn.Linear(8, 2)
        model.compile(mode="max-autotune")
        compiled = torch.compile(torch.nn.Linear(8, 2))

    How to debug:
        Print what is called: it is None.

    Sources:
        Run on torch 2.13. `torch/nn/modules/module.py`, `compile`, of release 2.13.0.
        https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.compile
    """

    code = "AOTI527"
    name = "result-of-compile-in-place"
    severity = Severity.WARNING
    outcome = Outcome.RAISES
    doubt = "what becomes of the None is not looked at"

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        if event.name == _COMPILED and not _is_handed_on(facts, event):
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                "model.compile() compiles in place and gives None, which is used here",
                label="this is None",
                help="use the model itself afterwards, or torch.compile(model)",
            )


_THROWN_AWAY = re.compile(r"\s*_\w*\s*=(?!=)")


def _is_handed_on(facts: Facts, event: ApiCall) -> bool:
    """Whether a function or a lambda gives the None back, or a name that says so throws it away: nobody looks at it."""
    source = facts.project.source(event.span.path)
    line = "" if source is None else source.lines.line_text(source.lines.position(event.span.start)[0])
    return _THROWN_AWAY.match(line) is not None or any(word in line for word in ("return ", "lambda"))
