"""AOTI319."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.values import DimValue

from ._unread import is_bare, programs_there, unread


class DimNotUsed(Rule):
    """A `Dim` is made, and the export there has no `dynamic_shapes`.

    What happens:
        Nothing is said, and the dimension that it was made for is static: the program takes only the size of its
        example there.

    Why:
        A `Dim` is a name for a dimension. It says nothing of any tensor before it stands in the entry of one. Where the
        export has other named dimensions, an unused one may be a rest: `--pedantic` tells of it.

    Bad:
        import torch

        rows = torch.export.Dim("rows", max=64)  # <- AOTI319
        program = torch.export.export(torch.nn.Linear(8, 2).eval(), (torch.randn(4, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, ids):
                return ids * 2

        batch, length = torch.export.Dim("batch"), torch.export.Dim("length")
        program = torch.export.export(Net(), (torch.ones(4, 16),), dynamic_shapes={"ids": {0: batch, 1: length}})

    How to debug:
        Print `program.range_constraints`: it has an entry for each dynamic dimension.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI319"
    name = "dim-not-used"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "the export may get its dynamic dimensions in a way that was not followed"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in unread(facts):
            programs = programs_there(facts, event)
            if not isinstance(event.held, DimValue) or event.held.kind not in ("named", "derived") or not programs:
                continue
            yield self.found(
                facts,
                event,
                Confidence.LIKELY if all(map(is_bare, programs)) else Confidence.POSSIBLE,
                f"the Dim {event.held.name or event.name} is in no dynamic_shapes: its dimension is static",
                label="nothing reads it",
                related=(Related(programs[0].span, "exported here without it"),),
                help=f"write it where it belongs: dynamic_shapes={{…: {{INDEX: {event.name}}}}}",
            )
