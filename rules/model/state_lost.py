"""AOTI704."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import ExportEvent
from aoti_lint.rule.values import TRUE, Program

from ._kept import sure


class StateLost(Rule):
    """A forward keeps tensors in an attribute for its next call, and the exported program does not.

    What happens:
        Every call of the program, and of a package made of it, finds what the attribute had at the export: a recurrent
        state starts anew each time. A non-strict export warns (`The tensor attribute self.state was assigned during
        export`), one with `strict=True` says nothing.

    Why:
        A program has buffers as its state. An assigned attribute is a Python object of the module, which is not there
        any more; so is a tuple, list or dict of tensors. Assigned buffers (`self.state = …`) are lost as well, with
        `strict=True` and in modules inside the one that is exported; changed in place (`self.state.copy_(…)`) they are
        kept. What is put into a list or dict of the module is taken out again when the export ends.

    Bad:
        import torch

        class Smooth(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.state = torch.zeros(4)

            def forward(self, x):
                self.state = self.state * 0.9 + x * 0.1  # <- AOTI704
                return self.state

        program = torch.export.export(Smooth(), (torch.ones(4),))

    Bad:
        import torch

        class Window(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.past = []

            def forward(self, x):
                self.past.append(x)  # <- AOTI704
                return torch.stack(self.past).mean(0)

        program = torch.export.export(Window(), (torch.ones(4),))

    Good:
        import torch

        class Smooth(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("state", torch.zeros(4))

            def forward(self, x):
                self.state.copy_(self.state * 0.9 + x * 0.1)
                return self.state * 1

        program = torch.export.export(Smooth(), (torch.ones(4),))

    How to debug:
        Call `program.module()` twice with the same input, and the model twice: the model gives two results.

    Sources:
        Run on torch 2.13, strict and not: attributes that begin as a tensor and as `None`, buffers, in the exported
        module and in modules inside it, lists and dicts (`append`, `extend`, `insert`, `update`, items, `+=`).
    """

    code = "AOTI704"
    name = "state-lost"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        program = event.program
        if not isinstance(program, Program):
            return
        for lost in event.lost:
            if lost.own and program.strict != TRUE:
                continue
            yield self.found(
                facts,
                event,
                sure(event, lost.path) if lost.used else Confidence.POSSIBLE,
                f"self.{lost.name} is kept here for the next call, and the program does not keep it",
                span=lost.span,
                label="lost after each call",
                related=(Related(program.span, "exported here"),),
                help=f"change it in place: self.{lost.name}.copy_(…)"
                if lost.buffer
                else "make it an input and an output; or a buffer, of which each call changes a part"
                if lost.box
                else f'self.register_buffer("{lost.name}", …) in __init__, and self.{lost.name}.copy_(…) here; '
                "or make it an input and an output",
            )
