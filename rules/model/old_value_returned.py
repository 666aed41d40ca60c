"""AOTI706."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import ExportEvent

from ._kept import RUN_ON, packaged, sure


class OldValueReturned(Rule):
    """A forward returns a copy of what a buffer was, and changes the buffer: a package returns what it becomes.

    What happens:
        Nothing is reported. A delay `old = self.state.clone(); self.state.copy_(x); return old` gives its input of the
        call before; the package gives that of this call. `program.module()` and `torch.compile` are right.

    Why:
        The compiler drops a copy that nothing else needs and returns the buffer itself, which is written after. So it
        is with copies of slices and views of a buffer, and with what `self.state` was before `self.state = …`.

    Bad:
        import torch

        class Delay(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("state", torch.zeros(4))

            def forward(self, x):
                old = self.state.clone()  # <- AOTI706
                self.state.copy_(x)
                return old

        program = torch.export.export(Delay(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    Good:
        import torch

        class Delay(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("state", torch.zeros(4))

            def forward(self, x):
                old = self.state + 0
                self.state.copy_(x)
                return old

        program = torch.export.export(Delay(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    How to debug:
        Call the package and the model with three different inputs: the package is one call ahead.

    Sources:
        Run on torch 2.13, on the CPU: `clone()`, `torch.clone`, `to(…, copy=True)`, of the whole, of slices, items and
        views, in a list and in a dict. A copy that is worked with before it is returned is right, one of what the
        forward wrote itself as well.
    """

    code = "AOTI706"
    name = "old-value-returned"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        returned = {(e.root, e.span): e for e in facts.of(ExportEvent) if e.old}
        for event, span in packaged(facts, returned):
            said = set()
            failing = event.versions & RUN_ON
            for copy in returned[event.root, span].old if failing else ():
                if copy.span in said:
                    continue
                said.add(copy.span)
                yield self.found(
                    facts,
                    event,
                    sure(event, copy.path),
                    f"this is returned, and in a package it is what self.{copy.name} becomes, not what it was",
                    span=copy.span,
                    failing=failing,
                    label=f"self.{copy.name} as it was",
                    related=(
                        Related(copy.change, "changed here"),
                        Related(span, "exported here"),
                        Related(event.span, "compiled here"),
                    ),
                    help=f"calculate with it: self.{copy.name} + 0",
                )
