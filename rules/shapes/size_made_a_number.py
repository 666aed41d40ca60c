"""AOTI320."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, VersionSet
from aoti_lint.rule.shapes import non_strict

from ._guards import Fault, each_place, faults

LOOP = "write an operation on the whole tensor in the place of the loop"
SAID = {
    "int": ("int({size}) makes a number of a size", "leave int() away: sizes can be calculated with as they are"),
    "float": ("{size} becomes a number here", "calculate with //, or with torch.sym_float and torch.sym_max"),
    "len": ("len() makes a number of {size}", "write x.shape[0]"),
    "range": (
        "range({size}) makes a number of a size",
        LOOP,
    ),
    "items": ("{size} is gone over one by one", LOOP),
    "steps": (
        "a recurrent layer is unrolled over {size}, for as many steps as the example has",
        "declare this dimension static, and call the program for sequences of one length",
    ),
    "points": (
        "torch.linspace makes a number of {size}",
        "write torch.arange({size}) * (end - start) / ({size} - 1) + start",
    ),
    "format": ('"%d" makes a number of {size}', "write an f-string, or %s"),
}
"""What is said of each kind of guard, and what to write instead."""
OF_DYNAMO = frozenset({"range", "items", "steps", "points"})
"""What needs a number in an export with `strict=True` too."""


class SizeMadeANumber(Rule):
    """The forward of a model makes a number of a size that is declared dynamic.

    What happens:
        With a named `Dim` or `Dim.DYNAMIC` the export raises `Constraints violated (batch)! … You marked batch as
        dynamic but your code specialized it to be a constant (6).`, which names no line. With `Dim.AUTO` nothing is
        said: the program takes the size of the example only.

    Why:
        The sizes that a forward sees while it is exported are symbols (`SymInt`). `int()`, `len()`, `range()`,
        `math.sqrt()` and `"%d"` need one number, and that is the one of the example. With `strict=True` the first two
        are traced as they are.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x / int(x.shape[0])  # <- AOTI320

        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim("batch")}})

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x / x.shape[0]

        program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim("batch")}})

    How to debug:
        `TORCH_LOGS="+dynamic"` prints the guard with the line that made it.

    Sources:
        Run on torch 2.13, named Dim, DYNAMIC and AUTO, with and without `strict=True`.
        `torch/__init__.py` of release 2.13.0, class `SymInt`: `__int__`, `__index__`.
    """

    code = "AOTI320"
    name = "size-made-a-number"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for fault in each_place(faults(facts, self.exports(facts), *SAID)):
            failing = fault.event.versions & self._versions(fault)
            if not failing:
                continue
            text, help_text = SAID[fault.guard.kind]
            yield self.found(
                facts,
                fault.event,
                fault.confidence,
                f"{text.format(size=fault.shown(fault.guard.left))}: {fault.effect}",
                span=fault.guard.span,
                failing=failing,
                severity=fault.severity,
                outcome=fault.outcome,
                label="needs one number",
                related=fault.related(),
                help=help_text.format(size=fault.shown(fault.guard.left)),
                symptom="shape-mismatch" if fault.silent else "export-error",
            )

    @staticmethod
    def _versions(fault: Fault) -> VersionSet:
        return fault.event.versions if fault.guard.kind in OF_DYNAMO else non_strict(fault.program)
