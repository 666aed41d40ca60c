"""AOTI408."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, nodes
from aoti_lint.rule.events import OpDefinition, OpImpl
from aoti_lint.rule.ops import base_name, op_key
from aoti_lint.rule.trials import OpTrial, Trial
from aoti_lint.rule.values import Func

from ._aliases import Returned, aliases, returned
from ._gradients import parts
from ._schemas import tested
from ._trials import fakes, name_of, place


class FakeReturnsInput(Rule):
    """The fake of a custom op returns one of its arguments, or a view of one.

    What happens:
        The result is taken for the argument itself: compiled code that uses the argument after the call reads the
        result. `y = twice(x); return y, x * 2` gives four times `x` as the second, where eager code gives two times.
        Export and compile go through; `torch.library.opcheck` says `outputs_alias_inputs check`.

    Why:
        The outputs of an op are tensors of their own, unless its schema says otherwise (`Tensor(a!)`). The fake has to
        make new ones, too.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):  # <- AOTI408
            return x

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

    How to debug:
        `torch.library.opcheck(op, (example,))`.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI408"
    name = "fake-returns-input"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "where nothing uses the argument after the call, nothing goes wrong"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        for event, trial in fakes(facts):
            span = place(trial.func)
            if event.aliases or span in told or (event.mutable is None and event.kernel is None):
                continue
            if event.kernel is not None and any(one.sure for one in aliases(event.kernel)):
                continue  # the kernel does so itself: AOTI412
            found = returned(trial)
            if found is None or _is_written(facts, event, trial, found.argument):
                continue
            told.add(span)
            yield self.found(
                facts,
                event,
                # Where there is no kernel, the test is of something else.
                Confidence.POSSIBLE if event.kernel is None and tested(span.path) else found.confidence,
                f"the fake of {name_of(event)} returns {found.what}{found.in_some}: {_effect(found)}",
                span=span,
                label=f"returns {found.what}",
                related=(Related(event.span, "the fake is registered here"),),
                help=f"return [torch.empty_like(one) for one in {found.argument}]"
                if trial.whole
                else f"return torch.empty_like({found.argument}), or what has the sizes of the result",
                symptom="wrong-result",
            )


def _is_written(facts: Facts, event: OpTrial, trial: Trial, argument: str) -> bool:
    """Whether a kernel says somewhere that it returns this argument, as it is: that is told of the kernel."""
    index = next((index for index, one in enumerate(trial.func.node.params) if one.name == argument), None)
    impls = (one.function for one in facts.of(OpImpl) if op_key(one.op) == base_name(event.op) and not one.is_fake)
    kernels = [*impls, *(one.function for one in facts.of(OpDefinition) if op_key(one.op) == base_name(event.op))]
    return any(
        isinstance(one.value, nodes.Name) and kernel.node.params[index].name == one.value.id
        for kernel in kernels
        if isinstance(kernel, Func) and index is not None and index < len(kernel.node.params)
        for one in parts(kernel.node.body)
        if isinstance(one, nodes.Return)
    )


def _effect(found: Returned) -> str:
    if not found.what.endswith("itself"):
        return "an output must be a tensor of its own"
    return f"compiled code that uses {found.argument} after the call reads the result in its place"
