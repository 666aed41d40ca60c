"""AOTI223."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches
from aoti_lint.rule.events import PathUse
from aoti_lint.rule.values import Obj, Program

_DRAFT_GAVE_TWO = ~VersionSet.since("2.7")
"""The releases in which `torch.export._draft_export.draft_export` gave a program and a report (2.6.0 and 2.7.1)."""


class ProgramUnpacked(Rule):
    """The program that an export gives, or what `torch._dynamo.explain` gives, is unpacked into several names.

    What happens:
        `TypeError: cannot unpack non-iterable ExportedProgram object`, or `… ExplainOutput object`.

    Why:
        `torch.export.export` and `draft_export` give the program alone. The report of a draft export is in
        `program._report`; in torch 2.6 it came beside the program. `torch._dynamo.explain` gave six values in torch
        2.0, and gives one object since.

    Bad:
        import torch

        net = torch.nn.Linear(4, 2)
        program, report = torch.export.draft_export(net, (torch.randn(3, 4),))  # <- AOTI223

    Bad:
        import torch

        explanation, guards, graphs, ops, reasons, told = torch._dynamo.explain(torch.sin, torch.ones(2))  # <- AOTI223

    Good:
        import torch

        net = torch.nn.Linear(4, 2)
        program = torch.export.draft_export(net, (torch.randn(3, 4),))
        print(program._report)

    How to debug:
        Print what the export returned.

    Sources:
        Run on torch 2.13 (this project's tests). `torch/export/_draft_export.py` of the releases 2.6.0 and 2.7.1.
        https://docs.pytorch.org/docs/stable/export/draft_export.html
    """

    code = "AOTI223"
    name = "program-unpacked"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(PathUse):
            program = event.package
            if catches(event.caught | event.expected, "TypeError"):
                continue
            if isinstance(program, Obj):
                yield self.found(
                    facts,
                    event,
                    Confidence.CERTAIN,
                    "torch._dynamo.explain gives one object, which cannot be unpacked: it raises",
                    label="unpacked here",
                    help="write explanation = …, and read explanation.graphs, .break_reasons, .out_guards of it",
                )
            if not isinstance(program, Program):
                continue
            failing = event.versions - _DRAFT_GAVE_TWO if program.is_draft else event.versions
            if failing:
                yield self.found(
                    facts,
                    event,
                    Confidence.CERTAIN,
                    "an export gives one program, which cannot be unpacked: it raises",
                    failing=failing,
                    label="a program is unpacked here",
                    related=(Related(program.span, "exported here"),),
                    help="write program = …" + ("; its report is program._report" if program.is_draft else ""),
                )
