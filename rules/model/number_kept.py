"""AOTI707."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import ExportEvent

from ._kept import sure


class NumberKept(Rule):
    """A forward counts its calls in Python, and computes with the count: the exported program has that of the export.

    What happens:
        The export says nothing (with `strict=True` it warns of side effects in `model.forward`). Each call of the
        program, and of a package made of it, computes with the number that the first call found: `self.cache[self.pos]
        = x; self.pos += 1` writes to the same place for ever.

    Why:
        Export runs the forward once. Attributes and global variables that hold Python numbers, and the length of a
        list, are constants of the program.

    Bad:
        import torch

        class Cache(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(8, 4))
                self.pos = 0

            def forward(self, x):
                self.seen[self.pos] = x  # <- AOTI707
                self.pos += 1
                return self.seen.sum(0)

        program = torch.export.export(Cache(), (torch.ones(4),))

    Good:
        import torch

        class Cache(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(8, 4))

            def forward(self, x, pos):
                self.seen.index_copy_(0, pos, x[None])
                return self.seen.sum(0)

        program = torch.export.export(Cache(), (torch.ones(4), torch.tensor([0])))

    How to debug:
        Call `program.module()` twice with the same input, and the model twice: the model gives two results.

    Sources:
        Run on torch 2.13, strict and not: attributes, objects in attributes, lengths of lists, global variables.
    """

    code = "AOTI707"
    name = "number-kept"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(ExportEvent):
            said = set()
            for kept in event.numbers:
                if kept.span in said:
                    continue
                said.add(kept.span)
                yield self.found(
                    facts,
                    event,
                    sure(event, kept.path),
                    f"{kept.first} in the first call of forward, {kept.second} in the second: "
                    f"the program has {kept.first} in all",
                    span=kept.span,
                    label="another number in each call",
                    related=(Related(event.span, "exported here"),),
                    help="make the number an input, a tensor",
                )
