"""AOTI710."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import LoadedProgram, Program, ProgramModule, leaves

_MODES = ("torch.export.ExportedProgram.module.eval", "torch.export.ExportedProgram.module.train")


class ModeOfExported(Rule):
    """`eval()` or `train()` is called on what `ExportedProgram.module()` gives.

    What happens:
        `NotImplementedError: Calling eval() is not supported yet.`, and the same of `train()`. `train(False)` and a
        module around it raise as well.

    Why:
        Dropout and BatchNorm are in the graph as they were at the export, in one mode or the other. There is nothing
        left that could be switched.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Dropout(0.5).eval(), (torch.randn(2, 4),))
        model = program.module().eval()  # <- AOTI710

    Good:
        import torch

        program = torch.export.export(torch.nn.Dropout(0.5).eval(), (torch.randn(2, 4),))
        model = program.module()

    How to debug:
        `print(program)` shows the mode: `aten.dropout.default(…, 0.5, False)`, `training = False`. For the graphs of
        the PT2E quantization, `torchao.quantization.pt2e.move_exported_model_to_eval(model)` rewrites it.

    Sources:
        `torch/export/exported_program.py`, line 1481, of release 2.13.0; the same in 2.4.1, 2.9.1 and 2.15.0. Run on
        torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI710"
    name = "mode-of-exported"
    outcome = Outcome.RAISES

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        if event.name not in _MODES or catches(event.caught | event.expected, "NotImplementedError", "RuntimeError"):
            return
        mode = event.name.rpartition(".")[2]
        programs = leaves(event.receiver.program) if isinstance(event.receiver, ProgramModule) else ()
        made = [leaf.span for _, leaf in programs if isinstance(leaf, Program | LoadedProgram)]
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{mode}() of an exported module raises: its mode was decided by the export",
            label="this raises",
            related=tuple(Related(span, "the program comes from here") for span in made[:1]),
            help="call model.eval() before the export, and leave this out",
        )
