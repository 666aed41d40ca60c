"""AOTI409."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Severity, Span

from ._trials import TRIED, differing, ends, fakes, name_of, output, size_text


class FakeMissesDynamicSize(Rule):
    """The kernel's output has a size that the data decide, and the fake says one that it calculates.

    What happens:
        The package reads as many elements as the fake said, and the kernel made fewer: `free(): invalid next size
        (fast)`, or rows of garbage.

    Why:
        How many elements `x[mask]`, `nonzero()` or `unique()` give is known only when they run. A fake says so with
        `torch.library.get_ctx().new_dynamic_size()`.

    Bad:
        import torch

        @torch.library.custom_op("mylib::positive", mutates_args=())
        def positive(x: torch.Tensor) -> torch.Tensor:
            return x[x > 0]

        @positive.register_fake
        def _(x):
            return x.new_empty((x.numel(),))  # <- AOTI409

    Good:
        import torch

        @torch.library.custom_op("mylib::positive", mutates_args=())
        def positive(x: torch.Tensor) -> torch.Tensor:
            return x[x > 0]

        @positive.register_fake
        def _(x):
            count = torch.library.get_ctx().new_dynamic_size()
            return x.new_empty((count,))

    How to debug:
        Compare the shape that the op gives for two inputs of one size and other values.

    Sources:
        Run on torch 2.13 (CPU): `free(): invalid next size (fast)`.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI409"
    name = "fake-misses-dynamic-size"
    severity = Severity.WARNING
    outcome = Outcome.CRASH
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event, trial in fakes(facts):
            for difference, span, use in differing(facts, event, trial, told, "data size"):
                said = size_text(difference.fake, trial)
                yield self.found(
                    facts,
                    event,
                    difference.confidence,
                    f"the fake of {name_of(event)} says {said} for dimension {difference.dim} of "
                    f"{output(difference, event)}; in the kernel the data decide it",
                    span=span,
                    label=f"{said}, whatever the data are",
                    related=ends(difference, event, "how many there are is known when it runs", use),
                    help="make the size with torch.library.get_ctx().new_dynamic_size()",
                    symptom="segfault",
                )
