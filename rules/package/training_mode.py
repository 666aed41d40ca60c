"""AOTI601."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity
from aoti_lint.rule.archives import batch_norms, dropouts

from ._places import origin

if TYPE_CHECKING:
    from aoti_lint.rule.contents import NamedArchive, Program


class TrainingMode(Rule):
    """A program was exported in training mode.

    What happens:
        Dropout stays in the program: the same input gives another result at every call. Batch normalisation uses the
        statistics of the batch it is given, so a row's result depends on the rows beside it, and every call changes the
        running statistics. Neither export, compile nor call says a word, and it cannot be repaired afterwards:
        `program.module().eval()` raises `NotImplementedError: Calling eval() is not supported yet.`

    Why:
        Export traces the model as it is, and modules are born in training mode. `torch.nn.functional.dropout(x)` drops
        in both modes, unless it is given `training=self.training`.

    Bad:
        # archive: training.pt2  # <- AOTI601
        # file: build.py
        import torch
        from net import Net

        program = torch.export.export(Net(), (torch.ones(4, 8),))
        torch.export.save(program, "training.pt2")

    Good:
        # archive: evaluated.pt2
        # file: build.py
        import torch
        from net import Net

        program = torch.export.export(Net().eval(), (torch.ones(4, 8),))
        torch.export.save(program, "evaluated.pt2")

    How to debug:
        Call the program twice with one input and compare: `torch.equal(run(x), run(x))`.

    Sources:
        Run on torch 2.13: a compiled `Dropout(0.5)` gave 501 zeros of 1000 (this project's tests have a smaller
        one).
        https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.eval
    """

    code = "AOTI601"
    name = "training-mode"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "some models mean it: Monte Carlo dropout, adaptation to the batch"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for archive in facts.archives:
            for program in archive.data.programs:
                yield from self._check(facts, archive, program)

    def _check(self, facts: Facts, archive: NamedArchive, program: Program) -> Iterator[Diagnostic]:
        kinds = ((dropouts, "the same input gives another result at every call"),
                 (batch_norms, "a row's result depends on the rows beside it"))  # fmt: skip
        active = [(call, effect) for alive, effect in kinds for call in alive(program.calls)]
        if not active:
            return
        names = list(dict.fromkeys(call.module or call.name for call, _ in active))
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        what = " and ".join(dict.fromkeys(call.target.split(".")[1] for call, _ in active))
        traced = origin(facts, active[0][0], f"{active[0][0].name} comes from here")
        yield self.found_in(
            facts,
            archive,
            # Some do mean it: Monte Carlo dropout, adaptation to the batch.
            Confidence.LIKELY,
            f"{what} in training mode ({shown}): {', and '.join(dict.fromkeys(effect for _, effect in active))}",
            subject=program.name,
            member=program.member,
            **traced,
            help="call model.eval() before torch.export.export, and export again",
            symptom="wrong-result",
        )
