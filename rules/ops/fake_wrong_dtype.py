"""AOTI405."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.trials import Difference, Trial

from ._trials import TRIED, called_with, differing, dtype_text, ends, fakes, from_factory, name_of, output


class FakeWrongDtype(Rule):
    """The fake of a custom op says another dtype than the kernel gives.

    What happens:
        A package reads the result as what the fake said: wrong values, or an overwritten heap (`malloc(): unaligned
        tcache chunk detected`), on the CPU too. A `torch.empty` without `dtype` in a fake is right as long as the
        example is float32, and wrong with bfloat16.

    Why:
        The code that follows the op is compiled for the dtype of the fake's result. Where one of the two writes a dtype
        down and the other has that of an argument, the calls of the op decide: it is wrong if one passes another dtype.
        Without a call it is right where a check holds the argument to this dtype, and where `torch.float32` is written
        out, unless the kernel casts back to the dtype of an argument: many kernels take nothing else. Where the two
        have the dtypes of different arguments, it is wrong if a call passes two that are not the same.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty(x.shape, device=x.device)  # <- AOTI405

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty(x.shape, dtype=x.dtype, device=x.device)

    How to debug:
        `torch.library.opcheck(op, (example,))` with an example of another dtype says `Dtypes torch.float64 and
        torch.float32 are not equal`.

    Sources:
        Run on torch 2.13 (CPU).
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI405"
    name = "fake-wrong-dtype"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event, trial in fakes(facts):
            for difference, span, use in differing(facts, event, trial, told, "dtype"):
                assert event.kernel is not None
                said, real = dtype_text(difference.fake, trial), dtype_text(difference.kernel, event.kernel)
                yield self.found(
                    facts,
                    event,
                    difference.confidence,
                    f"the fake of {name_of(event)} gives {output(difference, event)} {said}"
                    f"{_called(difference, trial)}; the kernel {real}",
                    span=span,
                    label=said,
                    related=ends(difference, event, f"the kernel: {real}", use),
                    help=f"give the output the dtype that the kernel gives: {real}",
                    symptom="wrong-result",
                )
            for tensor, text, span, sure in from_factory(facts, event, trial):
                known = {dtype for dtype, _ in called_with(facts, event)}
                if "dtype" in text or tensor.dtype != "torch.float32" or span in told or known == {tensor.dtype}:
                    continue
                told.add(span)
                yield self.found(
                    facts,
                    event,
                    sure,
                    f"the fake of {name_of(event)} makes an output without a dtype: float32, whatever the inputs are",
                    span=span,
                    label="no dtype",
                    related=(Related(event.span, "the fake is registered here"),),
                    help="name its dtype: dtype=x.dtype, or dtype=torch.float32 if the kernel always gives that",
                    symptom="wrong-result",
                )


def _called(difference: Difference, trial: Trial) -> str:
    """Where the difference is, if it hangs on the dtypes of the arguments."""
    dtypes = [f"{trial.names[key]} is {dtype}" for key, _, dtype in difference.call if key in trial.names and dtype]
    return f" where {' and '.join(dtypes)}" * bool(dtypes)
