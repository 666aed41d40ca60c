"""AOTI412."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import OpDefinition
from aoti_lint.rule.ops import op_key

from ._aliases import returned, shared
from ._fake_place import MAKERS
from ._trials import kernels, name_of, place


class OpReturnsInput(Rule):
    """A custom op returns one of its arguments or one tensor twice, or a view of these.

    What happens:
        Export and compile go through. Each call of an op of `torch.library.custom_op` raises, in a package as well:
        `RuntimeError: The output of this custom operator (1) must not also be an input to this custom operator and (2)
        may not alias any inputs to this custom operator or other returns.` Nothing checks an op of `Library.define`:
        `torch.library.opcheck` finds it, and later changes of one of the two show in the other.

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
        Run on torch 2.13: ops of both kinds that return an argument, a view of it, a tensor twice, alone or in a list,
        and two views, called alone, in `torch.compile` and in a package; `torch/_library/utils.py` of release 2.13.0,
        `check_aliasing_constraint`.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI412"
    name = "op-returns-input"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_CALL
    doubt = "where nothing calls it so, nothing happens"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        checked = {op_key(one.op) for one in facts.of(OpDefinition) if one.api in MAKERS}
        for event, trial in kernels(facts):
            span = place(trial.func)
            if event.aliases or event.mutable is None or event.outputs == 0 or span in told:
                continue
            found = returned(trial) or shared(trial)
            if found is None:
                continue
            told.add(span)
            raises = event.op in checked
            effect = (
                f"{'such a' if found.in_some else 'each'} call raises"
                if raises
                else "compiled code takes it for memory of its own"
            )
            yield self.found(
                facts,
                event,
                found.confidence,
                f"{name_of(event)} returns {found.what}{found.in_some}, and an output must be a tensor of its own: "
                f"{effect}",
                outcome=Outcome.RAISES_AT_CALL if raises else Outcome.SILENTLY_WRONG,
                span=span,
                label=f"returns {found.what}",
                related=(Related(event.span, "registered here"),),
                help="return a copy (.clone()), or declare the argument in mutates_args and return nothing",
            )
