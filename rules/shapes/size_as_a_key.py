"""AOTI316."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Severity
from aoti_lint.rule.shapes import non_strict

from ._guards import each_place, faults

RAISES = {
    "key": ("{size} is a key here, and a symbol cannot be one: the export raises TypeError", "takes no symbol"),
    "cached": (
        "{size} is given to a function with a cache, whose key cannot be a symbol: the export raises TypeError",
        "takes no symbol",
    ),
    "text": ("the text made of {size} holds the name of a symbol here: nothing is found, and the export raises", "s77"),
}
"""What is said of each kind of guard in an export without `strict=True`, and beside the place."""
_HELP = {"cached": "leave out the cache, or make the table for the largest size in __init__ and take a slice of it"}


class SizeAsAKey(Rule):
    """The forward of a model looks something up by a size that is declared dynamic.

    What happens:
        The size is a symbol while the model is exported. As the key of a dict it raises `TypeError: unhashable type:
        non-nested SymInt`; in a text it is its name, and the key `ns77` or the attribute `c(s77//2)` is not found. That
        is so with `Dim.AUTO` too. With `strict=True` the size becomes a number: a named `Dim` and `Dim.DYNAMIC` are
        refused, and with `Dim.AUTO` the program takes the size of the example only. As an argument of a function with
        `functools.lru_cache` the size raises that `TypeError`, and nothing with `strict=True`.

    Why:
        What is looked up while the model is exported is part of the program. It cannot be another thing for another
        size.

    Bad:
        import torch

        SCALES = {6: 1.0, 12: 2.0}

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * SCALES[x.shape[0]]  # <- AOTI316

        spec = {"x": {0: torch.export.Dim("batch")}}
        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes=spec)

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * (x.shape[0] / 6)

        spec = {"x": {0: torch.export.Dim("batch")}}
        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes=spec)

    How to debug:
        Print the key in the forward: a name such as `s77` stands where the number was meant.

    Sources:
        Run on torch 2.13: `scales[n]`, `scales.get(n)`, `scales[f"n{n}"]`, `getattr(self, f"n{n}")` and a function
        with `lru_cache`, named Dim and AUTO, with and without `strict=True`.
    """

    code = "AOTI316"
    name = "size-as-a-key"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for fault in each_place(faults(facts, self.exports(facts), *RAISES)):
            text, label = RAISES[fault.guard.kind]
            raising = fault.event.versions & non_strict(fault.program)
            if fault.guard.kind == "cached" and not raising:
                continue  # torch traces through such a cache
            size = fault.shown(fault.guard.left)
            yield self.found(
                facts,
                fault.event,
                fault.confidence,
                text.format(size=size) if raising else f"{size} becomes a number, to be looked up: {fault.effect}",
                span=fault.guard.span,
                failing=raising or fault.event.versions,
                severity=Severity.ERROR if raising else fault.severity,
                outcome=Outcome.RAISES_AT_EXPORT if raising else fault.outcome,
                label=label if raising else "needs one number",
                related=fault.related(),
                help=_HELP.get(fault.guard.kind, "calculate with the size, or choose while the model is made"),
                symptom="export-error",
            )
