"""AOTI412."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity

from ._aliases import returned
from ._trials import TRIED, kernels, name_of, place


class OpReturnsInput(Rule):
    """A custom op returns one of its arguments, or a view of one.

    What happens:
        Export and compile go through. The first call of the package raises `RuntimeError: The output of this custom
        operator (1) must not also be an input to this custom operator and (2) may not alias any inputs to this custom
        operator or other returns.` A view gives no error here: `torch.library.opcheck` finds it, and later changes of
        one of the two show in the other.

    Why:
        Compiled code gives each result memory of its own, and re-uses that of arguments it no longer needs.

    Bad:
        import torch

        @torch.library.custom_op("mylib::positive", mutates_args=())
        def positive(x: torch.Tensor) -> torch.Tensor:  # <- AOTI412
            return x

        @positive.register_fake
        def _(x):
            return torch.empty_like(x)

    Good:
        import torch

        @torch.library.custom_op("mylib::positive", mutates_args=())
        def positive(x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @positive.register_fake
        def _(x):
            return torch.empty_like(x)

    How to debug:
        `torch.library.opcheck(op, (example,))`.

    Sources:
        Run on torch 2.13; `torch/_library/utils.py` of release 2.13.0, `check_aliasing_constraint`.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI412"
    name = "op-returns-input"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_CALL
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        for event, trial in kernels(facts):
            span = place(trial.func)
            if event.aliases or event.mutable is None or event.outputs == 0 or span in told:
                continue
            found = returned(trial)
            if found is None:
                continue
            _, what, confidence = found
            told.add(span)
            yield self.found(
                facts,
                event,
                confidence,
                f"{name_of(event)} returns {what}: an output must be a tensor of its own",
                span=span,
                label=f"returns {what}",
                related=(Related(event.span, "registered here"),),
                help="return a copy (.clone()), or declare the argument in mutates_args and return nothing",
            )
