"""AOTI520."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import CompiledCall, MarkLost
from aoti_lint.rule.values import NONE


class MarkIsLost(Rule):
    """A tensor is marked with `mark_dynamic`, and a compiled function is called with another one that is made of it.

    What happens:
        The first call compiles for the sizes of its tensor alone, and the next size compiles again. Nothing says so.

    Why:
        The mark is an attribute of the tensor object. `clone`, `detach`, slices, views and arithmetic give another
        object; `deepcopy` and a `.to()` that changes nothing keep it.

    Bad:
        import torch

        double = torch.compile(lambda x: x * 2)
        x = torch.randn(4, 8)
        torch._dynamo.mark_dynamic(x, 0)
        double(x.clone())  # <- AOTI520

    Good:
        import torch

        double = torch.compile(lambda x: x * 2)
        x = torch.randn(4, 8).clone()
        torch._dynamo.mark_dynamic(x, 0)
        double(x)

    How to debug:
        `TORCH_LOGS=recompiles` prints each recompile with the guard that failed.

    Sources:
        Run on torch 2.13 (this project's tests): 20 ways to make one tensor of another.
        https://docs.pytorch.org/docs/stable/torch.compiler_dynamic_shapes.html
    """

    code = "AOTI520"
    name = "mark-lost"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def on_mark_lost(self, facts: Facts, event: MarkLost) -> Iterator[Diagnostic]:
        # What sizes are dynamic is settled by calls before.
        before = (one for one in facts.of(CompiledCall) if one.is_before(event))
        if event.compilation.option("dynamic") != NONE or any(before):
            return
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            "this tensor was made of one that is marked dynamic, and has no mark: the first call compiles for its size",
            label="called without the mark here",
            related=(Related(event.marked, "marked here"),),
            help="mark the tensor that is given, right before the first call",
            symptom="slow",
        )
