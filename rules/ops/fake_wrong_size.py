"""AOTI404."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.shapes import integer
from aoti_lint.rule.trials import Difference, OpTrial, Trial, hard_coded, outputs
from aoti_lint.rule.values import Tensor, leaves

from ._schemas import Use
from ._trials import TRIED, allocated, differing, ends, fakes, name_of, output, size_text


class FakeWrongSize(Rule):
    """The fake of a custom op says another size than the kernel gives, or a number where the kernel follows its input.

    What happens:
        A package trusts the fake: it allocates and reads what the fake said. A hard-coded size gives wrong values
        without a word, or overwrites memory (`free(): invalid next size (fast)`, `malloc_consolidate(): invalid chunk
        size`), on the CPU too. With the sizes of the example all is well, and `torch.library.opcheck` says SUCCESS
        four times.

    Why:
        The sizes of the outputs must be calculated from those of the inputs, as the kernel does it. How many dimensions
        an argument has, the calls of the op say: `x.new_empty(x.shape[0])` is wrong for a kernel that returns `x * 2`
        once it is called with two dimensions.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return x.new_empty((4, 8))  # <- AOTI404

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return x.new_empty(x.shape)

    How to debug:
        Run the op and its fake (under `torch._subclasses.FakeTensorMode()`) with two sizes and compare the shapes;
        `aoti-lint probe` does that.

    Sources:
        Run on torch 2.13 (CPU): wrong values, heap corruption.
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI404"
    name = "fake-wrong-size"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event, trial in fakes(facts):
            for difference, span, use in differing(facts, event, trial, told, "size", "rank"):
                yield self._differs(facts, event, trial, difference, span, use)
            if event.kernel is None:
                for tensor in _of_numbers(event, trial):
                    span = allocated(tensor, trial)
                    if span not in told:
                        told.add(span)
                        yield self._numbers_only(facts, event, tensor, span)

    def _differs(
        self, facts: Facts, event: OpTrial, trial: Trial, difference: Difference, span: Span, use: Use | None
    ) -> Diagnostic:
        assert event.kernel is not None
        if difference.kind == "rank":
            said, real = (_dimensions(getattr(v, "value", 0)) for v in (difference.fake, difference.kernel))
            sides = (difference.fake_tensor, trial), (difference.kernel_tensor, event.kernel)
            mine, right = (_sizes(*end) or count for end, count in zip(sides, (said, real), strict=True))
        else:
            said, real = size_text(difference.fake, trial), size_text(difference.kernel, event.kernel)
            mine, right = said, real
        where = output(difference, event)
        dim = "" if difference.kind == "rank" else f"dimension {difference.dim} of "
        how = "hard-codes" if hard_coded(difference) else "says"
        return self.found(
            facts,
            event,
            difference.confidence,
            f"the fake of {name_of(event)} {how} {said} for {dim}{where}{_called(difference, trial)}; "
            f"the kernel gives {real}",
            span=span,
            label=f"{mine}, and the kernel {right}",
            related=ends(difference, event, f"the kernel gives {right}", use),
            help=f"calculate the size as the kernel does{'' if difference.in_numbers else f': {right}'}",
            symptom="wrong-result",
        )

    def _numbers_only(self, facts: Facts, event: OpTrial, tensor: Tensor, span: Span) -> Diagnostic:
        shape = ", ".join(str(integer(size)) for size in tensor.shape or ())
        return self.found(
            facts,
            event,
            Confidence.LIKELY,
            f"the fake of {name_of(event)} hard-codes the output as ({shape}), whatever the inputs are",
            span=span,
            label="numbers only",
            related=(Related(event.span, "the fake is registered here"),),
            help="calculate the sizes of the output from x.shape",
            symptom="wrong-result",
        )


def _dimensions(count: int) -> str:
    return f"{count} dimension{'s' * (count != 1)}"


def _sizes(tensor: Tensor | None, trial: Trial) -> str:
    """The sizes of a tensor as the function writes them; nothing where not all of them are known."""
    sizes = [size_text(size, trial) for size in (tensor.shape or () if tensor is not None else ())]
    return f"({', '.join(sizes)}{',' * (len(sizes) == 1)})" if sizes and "…" not in "".join(sizes) else ""


def _called(difference: Difference, trial: Trial) -> str:
    """Where the difference is, if it hangs on the dimensions of the arguments."""
    if difference.in_numbers:
        return " where it is called"
    ranks = [f"{trial.names[key]} has {_dimensions(rank)}" for key, rank, _ in difference.call if key in trial.names]
    return f" where {' and '.join(ranks)}" * bool(ranks)


def _of_numbers(event: OpTrial, trial: Trial) -> Iterator[Tensor]:
    """Outputs of several dimensions whose sizes are all numbers, where the arguments have open sizes."""
    if not trial.watch.shapes or trial.value is None:
        return
    for one in outputs(trial.value):
        for _, leaf in leaves(one):
            if isinstance(leaf, Tensor) and leaf.shape is not None and len(leaf.shape) > 1:
                sizes = [integer(s) for s in leaf.shape]
                if all(s is not None and s > 1 for s in sizes):
                    yield leaf
