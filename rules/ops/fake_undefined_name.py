"""AOTI411."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity

from ._bindings import may_be_bound
from ._trials import name_of, notes, sure


class FakeUndefinedName(Rule):
    """The fake of a custom op uses a name that nothing defines.

    What happens:
        `NameError: name 'rows' is not defined`, at the first export or compile of a model that calls the op. Without
        one the op works: nothing else calls the fake.

    Why:
        Tests that call the op run its kernel, not its fake.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return x.new_empty((rows, x.shape[1]))  # <- AOTI411

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            rows = x.shape[0]
            return x.new_empty((rows, x.shape[1]))

    How to debug:
        `torch.library.opcheck(op, (example,))` calls the fake.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI411"
    name = "fake-undefined-name"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "something may put the name there while the program runs"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        for event, _, note in notes(facts):
            tree = facts.project.module(note.span.path) if note.kind == "unbound" else None
            if tree is None or note.span in told or may_be_bound(tree, note.span, note.op):
                continue
            told.add(note.span)
            yield self.found(
                facts,
                event,
                sure(note),
                f"the fake of {name_of(event)} uses the name {note.op}, which nothing defines",
                span=note.span,
                label="not defined",
                related=(Related(event.span, "the fake is registered here"),),
                help="define it, or correct the name",
                symptom="export-error",
            )
