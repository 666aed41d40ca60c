"""AOTI521."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, catches, judge, weaker
from aoti_lint.rule.events import ApiCall, CompiledCall
from aoti_lint.rule.values import FALSE, NONE

from ..shapes._guards import Fault, each_place, faults
from ._compile import mentions, once

_MARKS = frozenset(f"torch._dynamo.{name}" for name in ("mark_dynamic", "maybe_mark_dynamic", "mark_unbacked"))
_KINDS = ("branch", "fit", "reshape", "range", "items", "points", "key")
"""The kinds of guards for which a compiled function holds a marked size, too (run on torch 2.13)."""
_OTHERWISE = ("set_stance", "assume_static_by_default", "dynamic_sources", "suppress_errors")
"""What makes other sizes dynamic, too, or goes on without compiling; a project that names one may use it."""


class MarkDynamic(Rule):
    """A size that `mark_dynamic` marks has to be one number in the compiled function, or is marked inside of it.

    What happens:
        The first call raises, whatever the backend:

            ConstraintViolationError: Constraints violated (L['x'].size()[0])! …
              - You marked L['x'].size()[0] as dynamic but your code specialized it to be a constant (4).

        With `min=` and `max=` it raises where some size of the range is refused, too: `Not all values of
        L['x'].size()[0] … in the specified range … satisfy the generated guard`. Inside of what is compiled the mark
        itself raises `AssertionError: Attempt to trace forbidden callable <function mark_dynamic …>`, which a handler
        there does not catch.

    Why:
        `mark_dynamic` promises that the size may be any. What is not marked, such as a second input, a weight or a
        global tensor, has the size of the first call, and what it is added to has to have that, too.

    Bad:
        import torch

        @torch.compile
        def add(x, y):
            return x + y  # <- AOTI521

        x, y = torch.randn(4, 16), torch.randn(4, 16)
        torch._dynamo.mark_dynamic(x, 0)
        add(x, y)

    Bad:
        import torch

        @torch.compile
        def double(x):
            torch._dynamo.mark_dynamic(x, 0)  # <- AOTI521
            return x * 2

        double(torch.randn(4, 16))

    Good:
        import torch

        @torch.compile
        def add(x, y):
            return x + y

        x, y = torch.randn(4, 16), torch.randn(4, 16)
        torch._dynamo.mark_dynamic(x, 0)
        torch._dynamo.mark_dynamic(y, 0)
        add(x, y)

    Good:
        import torch

        @torch.compile
        def add(x, y):
            return x + y

        x, y = torch.randn(4, 16), torch.randn(4, 16)
        torch._dynamo.maybe_mark_dynamic(x, 0)
        add(x, y)

    How to debug:
        The message has a `User stack`: its last line is where the size became a number. `TORCH_LOGS="+dynamic"` prints
        the guard.

    Sources:
        Run on torch 2.13.0 with the backend `eager`, 60 functions (this project's tests): `int(size)`, `split`, `chunk`
        and `x[: size // 2]` are fine without a range, and so is what a graph break parts from the mark.
        `torch/_dynamo/decorators.py`, `mark_dynamic`, of release 2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_dynamic_shapes.html
    """

    code = "AOTI521"
    name = "mark-dynamic"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        yield from self._inside(facts, reported)
        for fault in each_place(faults(facts, facts.of(CompiledCall), *_KINDS)):
            if mentions(facts, fault.event, *_OTHERWISE) or not once(reported, fault.guard.span):
                continue
            yield from self._held(facts, fault)

    def _inside(self, facts: Facts, reported: set[Span]) -> Iterator[Diagnostic]:
        for event in facts.of(ApiCall):
            if event.name not in _MARKS or not event.within or mentions(facts, event, "set_stance", "suppress_errors"):
                continue
            by = event.within[0]
            verdict = judge([by.option("disable")], event.path, lambda v: v[0] in (NONE, FALSE))
            if verdict is None or catches(event.caught | event.expected, "AssertionError"):
                continue
            if once(reported, event.span):
                name = event.name.rpartition(".")[2]
                yield self.found(
                    facts,
                    event,
                    verdict,
                    f"{name} cannot be part of what is compiled: the first call raises",
                    label="marked inside of it",
                    related=(Related(by.span, "compiled here"),),
                    help="mark the tensor before the compiled function is called with it",
                    symptom="slow",
                )

    def _held(self, facts: Facts, fault: Fault) -> Iterator[Diagnostic]:
        event, guard, size = fault.event, fault.guard, fault.size
        if not isinstance(event, CompiledCall):
            return
        verdict = judge([event.compilation.option("disable")], event.path, lambda v: v[0] in (NONE, FALSE))
        if verdict is None:
            return
        asked = f"{fault.shown(guard.left)} {guard.op} {fault.shown(guard.right)}"
        marked = fault.shown(size.root)
        what = f"holds {marked} to {size.example}" if fault.fixed else f"is right for {asked} only"
        confidence = weaker(verdict[0], fault.confidence)
        related = [Related(size.dim.span, "marked as dynamic here")] if size.dim.span is not None else []
        yield self.found(
            facts,
            event,
            confidence if fault.fixed else weaker(confidence, Confidence.LIKELY),
            f"this {what}, and {marked} is marked with mark_dynamic: the first call of the compiled function raises",
            span=guard.span,
            label="holds the marked size",
            doubt="" if fault.fixed else fault.doubt,
            related=(*related, Related(event.compilation.span, "compiled here"), Related(event.span, "called here")),
            help="where another tensor has this size, mark it, too; or use maybe_mark_dynamic, which gives way"
            if fault.fixed
            else "mark it with a range whose sizes all do, or without min and max",
            symptom="shape-mismatch",
        )
