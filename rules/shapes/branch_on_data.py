"""AOTI325."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, VersionSet, weaker
from aoti_lint.rule.events import AttributeUse, CallEvent, CompileEvent, Event, ExportEvent, SaveEvent
from aoti_lint.rule.links import written_to
from aoti_lint.rule.values import Program, ProgramModule, Tensor, Tup, leaves

from ._data import HELP, SAID, data_uses, sure_uses

_RUN_ON = VersionSet.since("2.13")
_REFUSED = frozenset({"equal", "allclose"})
"""What a draft export refuses as an export does."""


class BranchOnData(Rule):
    """The forward of an exported model goes one way or the other by the values in a tensor.

    What happens:
        The export raises: `GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1)`. With
        `strict=True` it is `Unsupported: Data-dependent branching` or `UserError: Consider annotating your code using
        torch._check*()`. So do `while` and `bool(…)` (with `strict=True` where something hangs on it), `torch.equal`
        and `torch.allclose`, a comparison of `x.item()` and of the size that `nonzero()`, `unique()` or `x[x > 0]`
        gives, a loop over such a tensor or over `range(n)` of such a number, a list or dict that is asked for the item
        of that number, and, unless `strict=True`, `assert`. `not`, `and`, `or` and `0 < n < 9` ask, too, also in what
        `torch._check` is given. So does `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`.
        `draft_export` raises nothing: its program has the way of the example, and raises for inputs that would go
        another way (`Runtime assertion failed for expression u0 >= 1`), or, where `x.item()` was compared, gives what
        this way gives.

    Why:
        Export traces with tensors that have sizes and no values, so there is nothing to decide by, and the program has
        one way only. Reading a number with `.item()` alone is no error.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if x.sum() > 0:  # <- AOTI325
                    return x + 1
                return x - 1

        program = torch.export.export(Net(), (torch.randn(4, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.where(x.sum() > 0, x + 1, x - 1)

        program = torch.export.export(Net(), (torch.randn(4, 8),))

    How to debug:
        The last line of the message, `Caused by:`, names the place. `torch.export.draft_export` goes on with the
        example's answer and lists all such places.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13, with and without `strict=True`: each of the forms above, on inputs, parameters and buffers.
        https://docs.pytorch.org/docs/stable/export.html#data-shape-dependent-control-flow
    """

    code = "AOTI325"
    name = "branch-on-data"
    onnx = True
    severity = Severity.ERROR
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, use, failing, confidence in data_uses(facts, self.exports(facts), *SAID):
            yield self.found(
                facts,
                event,
                confidence,
                f"{SAID[use.kind]}, and an export has no values: it raises",
                span=use.span,
                failing=failing,
                label="asked here",
                related=(Related(event.span, "exported here"),),
                help=HELP[use.kind],
                symptom="export-error",
            )
        yield from self._drafts(facts)

    def _drafts(self, facts: Facts) -> Iterator[Diagnostic]:
        """Drafts that are used for more than the example, by code that does not look at their reports."""
        asked = [event.of for event in facts.of(AttributeUse) if event.name == "_report"]
        for event in facts.of(ExportEvent):
            program = event.program
            if not isinstance(program, Program) or not program.is_draft or program in asked or event.expected:
                continue
            first = next((one for one in sure_uses(event, program) if one[0].kind in SAID), None)
            used = None if first is None else _used(facts, program)
            if first is None or used is None or first[0].name in _REFUSED:
                continue
            use, failing, confidence = first
            yield self.found(
                facts,
                event,
                weaker(Confidence.LIKELY, confidence),
                f"{SAID[use.kind]}: draft_export goes on with the answer of the example, and its program raises for "
                "inputs with another, or is wrong for them",
                span=use.span,
                failing=failing & _RUN_ON,
                severity=Severity.WARNING,
                outcome=Outcome.RAISES_AT_CALL,
                label="asked here",
                related=(Related(event.span, "a draft is made here"), Related(used.span, "it is used here")),
                help=f"{HELP[use.kind]}; a draft without faults says so: program._report.successful()",
            )


def _used(facts: Facts, program: Program) -> Event | None:
    """What compiles or saves a program, or calls it with other inputs than its example."""
    kept: list[CompileEvent | SaveEvent] = [*facts.of(CompileEvent), *facts.of(SaveEvent)]
    uses: list[Event] = [
        event for event in kept if program in [one for _, one in leaves(written_to(event)[1], event.path)]
    ]
    example = program.args.items if isinstance(program.args, Tup) else ()
    calls = (event for event in facts.of(CallEvent) if event.target == ProgramModule(program))
    uses += [event for event in calls if any(isinstance(one, Tensor) and one not in example for one in event.args)]
    return min(uses, key=lambda event: event.order, default=None)
