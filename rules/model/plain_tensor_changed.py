"""AOTI703."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, catches
from aoti_lint.rule.events import ExportEvent

from ._kept import RUN_ON, packaged, sure


class PlainTensorChanged(Rule):
    """A forward changes a tensor in place that is no buffer, and the program is compiled into a package.

    What happens:
        The export says nothing and `program.module()` keeps the state. The compile raises: `AssertionError:
        aot_autograd expected to have an entirely functional graph, but found %add_ : [num_users=0] =
        call_function[target=torch.ops.aten.add_.Tensor](args = (%_tensor_constant0, 1), kwargs = {})`, or, where
        what is written comes from an input or goes to a part of the tensor, `RuntimeError: false INTERNAL ASSERT
        FAILED … mutating a non-functional tensor with a functional tensor is not allowed.`

    Why:
        `self.state = torch.zeros(4)` is a constant of the program, as are tensors of the class, of a list or a dict,
        and global ones; the compiler takes constants for what they say. What `register_buffer` makes is state, which
        may change.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.state = torch.zeros(4)

            def forward(self, x):
                self.state.add_(x)  # <- AOTI703
                return self.state * 2

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("state", torch.zeros(4))

            def forward(self, x):
                self.state.add_(x)
                return self.state * 2

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    How to debug:
        `program.constants` has the tensor; `program.state_dict` has buffers.

    Sources:
        Run on torch 2.13: `add_`, `+=`, `copy_` on a slice, `index_copy_` and `x[0] = …`, of one and of four elements;
        tensors of attributes, of the class, of a list, of a dict, global ones and those of a closure.
    """

    code = "AOTI703"
    name = "plain-tensor-changed"
    severity = Severity.ERROR
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        changed = {(e.root, e.span): e for e in facts.of(ExportEvent) if e.changes}
        for event, span in packaged(facts, changed):
            said = set()
            failing = event.versions & RUN_ON
            if not failing or catches(event.caught | event.expected, "RuntimeError", "AssertionError"):
                continue
            for change in changed[event.root, span].changes:
                if change.span not in said:
                    said.add(change.span)
                    name = f"self.{change.name}" if change.name else ""
                    yield self.found(
                        facts,
                        event,
                        sure(event, change.path),
                        f"{name or 'this tensor'} is no buffer and is changed in forward: the compile raises",
                        span=change.span,
                        failing=failing,
                        label="changed here",
                        related=(Related(span, "exported here"), Related(event.span, "compiled here")),
                        help=f'self.register_buffer("{change.name or "state"}", …) in __init__',
                        symptom="compile-error",
                    )
