"""AOTI216."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.values import LoadedProgram, Program


class ProgramCalled(Rule):
    """An exported program is called as if it were a module.

    What happens:
        `RuntimeError: Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.`

    Why:
        An `ExportedProgram` is a graph with its weights beside it. `program.module()` puts them together and gives a
        module that can be called.

    Bad:
        import torch

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        y = program(x)  # <- AOTI216

    Good:
        import torch

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        y = program.module()(x)

    How to debug:
        Make the module once and keep it: `module()` copies the graph at every call.

    Sources:
        `torch/export/exported_program.py`, line 1448, of release 2.13.0; the same in all releases from 2.4.1 to 2.15.0.
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI216"
    name = "program-called"
    outcome = Outcome.RAISES_AT_CALL

    def on_call(self, facts: Facts, event: CallEvent) -> Iterator[Diagnostic]:
        target = event.target
        if isinstance(target, Program | LoadedProgram) and not catches(event.caught | event.expected, "RuntimeError"):
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                "an ExportedProgram cannot be called: it raises",
                label="called here",
                related=(Related(target.span, "exported here" if isinstance(target, Program) else "loaded here"),),
                help="call program.module()(…)",
            )
