"""AOTI413."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity

from ._trials import TRIED, kernels, name_of, sure


class UndeclaredMutation(Rule):
    """A custom op changes an argument that its schema does not say it changes.

    What happens:
        Nothing raises. Compiled code may have put something else into the memory, calculate from the old values, or
        change a tensor of the caller.

    Why:
        The compiler orders and re-uses by the schema: an op with `mutates_args=()`, or `Tensor x` in its schema, only
        reads.

    Bad:
        import torch

        @torch.library.custom_op("mylib::step", mutates_args=())
        def step(x: torch.Tensor) -> torch.Tensor:
            x.add_(1)  # <- AOTI413
            return x * 2

        @step.register_fake
        def _(x):
            return torch.empty_like(x)

    Good:
        import torch

        @torch.library.custom_op("mylib::step", mutates_args=("x",))
        def step(x: torch.Tensor) -> torch.Tensor:
            x.add_(1)
            return x * 2

        @step.register_fake
        def _(x):
            return torch.empty_like(x)

    How to debug:
        `torch.library.opcheck(op, (example,))` says `Argument x is not defined as mutable but was mutated`.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI413"
    name = "undeclared-mutation"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        for event, trial in kernels(facts):
            if event.mutable is None:
                continue
            for key, note in trial.watch.mutated.items():
                argument = key.removesuffix("[]")
                name = trial.names.get(argument)
                declared = argument in event.mutable or key in trial.watch.restored
                if name is None or declared or note.span in told:
                    continue
                told.add(note.span)
                yield self.found(
                    facts,
                    event,
                    sure(note, trial.watch.answered_by_data),
                    f"{name_of(event)} changes {name} here, and its schema says that it only reads it",
                    span=note.span,
                    label=f"changes {name}",
                    related=(Related(event.span, "registered here"),),
                    help=f'declare it: mutates_args=("{name}",), or Tensor(a!) {name} in a schema; or work on a copy',
                    symptom="wrong-result",
                )
