"""AOTI105."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, judge
from aoti_lint.rule.events import CallEvent, ExportEvent, MoveLost
from aoti_lint.rule.links import programs_of
from aoti_lint.rule.shapes import flat_tensors
from aoti_lint.rule.values import Program, Tensor, Value, leaves

from ._types import differ, known_device


class LostMove(Rule):
    """A tensor is moved, what that gives is thrown away, and the tensor is exported or called with where it was.

    What happens:
        Nothing: the tensor stays on its device. The export or the call then works for the wrong device, or raises
        where the model is on the other one.

    Why:
        `tensor.to(…)`, `.cuda()` and `.cpu()` give another tensor. `module.to(…)` moves the module itself; the two are
        easily mixed up.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        x = torch.randn(4, 8)
        x.to("cuda")  # <- AOTI105
        program = torch.export.export(Net().to("cuda"), (x,))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        x = torch.randn(4, 8)
        x = x.to("cuda")
        program = torch.export.export(Net().to("cuda"), (x,))

    How to debug:
        Print `x.device` right before the export or the call.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html
    """

    code = "AOTI105"
    name = "lost-move"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        lost = list(facts.of(MoveLost))
        uses: list[ExportEvent | CallEvent] = []
        if lost:
            # Where the program that is called is known, AOTI102 compares its devices with the input's.
            unjudged = (e for e in facts.of(CallEvent) if not _known(facts, e))
            uses = [*facts.of(ExportEvent), *unjudged]
        told: set[Span] = set()
        for event in lost:
            after = (u for u in uses if event.is_before(u) and _takes(u, event))
            use = min(after, key=lambda u: u.order, default=None)
            verdict = judge([event.tensor.device, event.device], event.path, differ)
            if use is None or verdict is None or event.span in told:
                continue
            told.add(event.span)
            before, wanted = (known_device(v) for v in verdict[1])
            what = "exported with" if isinstance(use, ExportEvent) else "called with"
            yield self.found(
                facts,
                event,
                verdict,
                f"the tensor stays on {before}: .to() and the like give another tensor, and this one is thrown away",
                label=f"what is on {wanted} is lost here",
                related=(Related(use.span, f"{what} the one on {before} here"),),
                help="keep what the move gives: x = x.to(…)",
                symptom="device-mismatch",
            )


def _known(facts: Facts, call: CallEvent) -> bool:
    """Whether a program that is called was exported where we saw it."""
    return any(isinstance(c.value, Program) for c in programs_of(facts, call.target, call))


def _takes(use: ExportEvent | CallEvent, event: MoveLost) -> bool:
    """Whether an export or a call is given the very tensor that was not moved."""
    given: list[Value]
    if isinstance(use, CallEvent):
        given = [*use.args, *use.kwargs.values()]
    else:
        given = [use.program.args, use.program.kwargs] if isinstance(use.program, Program) else []
    held = (leaf for one in given for part in flat_tensors(one) for _, leaf in leaves(part, use.path))
    return any(isinstance(leaf, Tensor) and leaf.key == event.tensor.key for leaf in held)
