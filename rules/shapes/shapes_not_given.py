"""AOTI318."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.values import DimValue

from ._unread import is_bare, programs_there, unread


class ShapesNotGiven(Rule):
    """A `dynamic_shapes` is built and given to no export, and what is exported there has none.

    What happens:
        Nothing is said, and the program is static: `program.range_constraints` is `{}`. It takes only the sizes of its
        example.

    Why:
        An export reads the dynamic dimensions from its argument `dynamic_shapes` alone. A variable of that name, or a
        parameter of the function around it, is nothing to it.

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        dynamic_shapes = {"input": {0: torch.export.Dim("rows")}}  # <- AOTI318
        program = torch.export.export(model, (x,))

    Bad:
        import torch

        def exported(model, inputs, dynamic_shapes):  # <- AOTI318
            return torch.export.export(model, inputs)

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        program = exported(model, (x,), {"input": {0: torch.export.Dim("rows")}})

    Good:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        dynamic_shapes = {"input": {0: torch.export.Dim("rows")}}
        program = torch.export.export(model, (x,), dynamic_shapes=dynamic_shapes)

    How to debug:
        Print `program.range_constraints`: it has an entry for each dynamic dimension.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI318"
    name = "shapes-not-given"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "a program of one size may be what is wanted"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in unread(facts):
            programs = programs_there(facts, event)
            bare = [program for program in programs if is_bare(program)]
            if isinstance(event.held, DimValue) or not bare:
                continue
            yield self.found(
                facts,
                event,
                Confidence.LIKELY if len(bare) == len(programs) else Confidence.POSSIBLE,
                f"{event.name} has dynamic dimensions and nothing reads it: the exported program is static",
                label="given to no export",
                related=(Related(bare[0].span, "exported here without dynamic_shapes"),),
                help=f"give the export dynamic_shapes={event.name}",
            )
