"""AOTI422."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Severity, Span
from aoti_lint.rule.trials import Trial
from aoti_lint.rule.values import Tup, Value

from ._trials import TRIED, differing, ends, fakes, name_of, output, size_text


class FakeWrongStrides(Rule):
    """The fake of a custom op says other strides than the kernel's result has.

    What happens:
        A package reads the result in the order that the fake said: wrong numbers without a word, wherever what follows
        is not done element by element (a sum over one dimension, a softmax, a `reshape`). `torch.compile` raises at the
        call: `AssertionError: expected size 4==4, stride 1==8 at dim=0`, and `This error most often comes from a
        incorrect fake (aka meta) kernel for a custom op.`

    Why:
        Code is compiled for the strides of the fake's result. `torch.empty_like(x)` lies as `x` does, `x.new_empty(…)`
        in rows; `.t()`, `.transpose(…)` and `.permute(…)` turn the strides and move nothing, and `clone`, casts and
        arithmetic keep them turned. Only `.contiguous()` puts them in rows. Arguments are taken to lie in rows; where a
        fake or a kernel asks for strides, what it says is only possible.

    Bad:
        import torch

        @torch.library.custom_op("mylib::columns", mutates_args=())
        def columns(x: torch.Tensor) -> torch.Tensor:
            return x.sin().t().contiguous().t()

        @columns.register_fake
        def _(x):
            return torch.empty_like(x)  # <- AOTI422

    Good:
        import torch

        @torch.library.custom_op("mylib::columns", mutates_args=())
        def columns(x: torch.Tensor) -> torch.Tensor:
            return x.sin().t().contiguous().t()

        @columns.register_fake
        def _(x):
            return torch.empty_like(x.t(), memory_format=torch.contiguous_format).t()

    How to debug:
        `aoti-lint probe` runs the kernel beside its fake. `torch.library.opcheck(op, (example,))` says `Stride
        mismatch! Strides are (1, 4) and (8, 1) (mismatched at 0)!`. With `AOTI_RUNTIME_CHECK_INPUTS=1` a package that
        torch 2.13 or later compiled checks the strides at the call.

    Sources:
        Run on torch 2.13 (CPU): a sum over one dimension and a softmax gave wrong numbers, an addition the right ones.
        `torch/_inductor/ir.py` (`codegen_size_asserts`).
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI422"
    name = "fake-wrong-strides"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event, trial in fakes(facts):
            for difference, span, use in differing(facts, event, trial, told, "strides"):
                said, real = _text(difference.fake, trial), _text(difference.kernel, trial)
                yield self.found(
                    facts,
                    event,
                    difference.confidence,
                    f"the fake of {name_of(event)} gives {output(difference, event)} the strides {said}; "
                    f"the kernel {real}",
                    span=span,
                    label=f"strides {said}",
                    related=ends(difference, event, f"the kernel: {real}", use),
                    help="use torch.empty_permuted(sizes, order, …), or end the kernel in .contiguous()",
                    symptom="wrong-result",
                )


def _text(value: Value, trial: Trial) -> str:
    """Strides as the fake would write them."""
    sizes = value.items if isinstance(value, Tup) else ()
    return f"({', '.join(size_text(one, trial) for one in sizes)})"
