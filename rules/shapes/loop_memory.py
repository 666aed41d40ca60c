"""AOTI343."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, catches, judge
from aoti_lint.rule.events import ControlCall, ControlFault, Event, Exporting
from aoti_lint.rule.values import FALSE, NONE, Const, Value

from ..flags._compile import mentions, once
from ..model._anew import traced_anew
from ..model._forward import met

_RUN_ON = VersionSet.since("2.13")
_SAID = {
    "twice": "{} is given one tensor in two places",
    "views": "{} works on two views of one tensor",
    "around": "a function of {} reads a tensor that is given to it as well",
}
_LOWERING = frozenset({None, "inductor", "aot_eager"})
"""Backends that trace the graph anew; `eager` runs it as it is."""


class LoopMemory(Rule):
    """A loop works on one tensor in two places, or on two views of it, and is decomposed or compiled.

    What happens:
        The export works. `run_decompositions()`, the compile of a package and `torch.onnx.export` raise `RuntimeError:
        cond_fn might be aliasing the input or the output!` (for `scan` `scan might be aliasing …`, for `torch.cond`,
        which an export under `torch.no_grad()` takes, `cond_true …`). So does the first call of what `torch.compile`
        gives, unless its backend is `eager`: `BackendCompilerFailed`.

    Why:
        What a function reads from around itself becomes one more input of its graph. When the graphs are traced anew,
        no two inputs may share their memory: the tensors that are carried from turn to turn, and those that
        the functions read.

    Bad:
        import torch
        from torch._higher_order_ops import while_loop

        class Net(torch.nn.Module):
            def forward(self, steps, x):
                return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y + x), (steps, x))

        program = torch.export.export(Net(), (torch.tensor(0), torch.randn(4)))
        program = program.run_decompositions()  # <- AOTI343

    Bad:
        import torch
        from torch._higher_order_ops import while_loop

        @torch.compile
        def powers(steps, x):
            return while_loop(  # <- AOTI343
                lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * 2, b * 3), (steps, x, x)
            )

        powers(torch.tensor(0), torch.randn(4))

    Good:
        import torch
        from torch._higher_order_ops import while_loop

        class Net(torch.nn.Module):
            def forward(self, steps, x):
                return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y + x), (steps, x.clone()))

        program = torch.export.export(Net(), (torch.tensor(0), torch.randn(4)))
        program = program.run_decompositions()

    How to debug:
        `print(program)` shows the inputs of the graphs in the call of `while_loop`: look for one that stands there
        twice.

    Sources:
        Run on torch 2.13, with and without `strict=True`, with and without autograd (this project's tests): inputs,
        parameters, buffers and global tensors, views of them by a slice, `chunk`, `t()`, `detach()`. What `torch.cond`
        is given may be the same tensor, and views where one is not used; for `map` the export itself raises.
        `torch/_higher_order_ops/utils.py`, `_check_alias_and_mutation`, of release 2.13.0.
        `torch.onnx.export(…, dynamo=True)` raises `ConversionError` (run on torch 2.13 with onnxscript 0.7.2).
    """

    code = "AOTI343"
    name = "loop-memory"
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, fault, sure, what in traced_anew(facts, _shared):
            yield self._told(facts, event, sure, fault, f"{what} raises", Related(fault.span, "called here"))
        yield from self._compiled(facts)

    def _compiled(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        for event in facts.of(ControlCall):
            fault = event.fault
            if not fault.late or not event.within:
                continue
            if catches(event.caught | event.expected, "BackendCompilerFailed", "TorchDynamoException", "RuntimeError"):
                continue
            by = event.within[0]
            verdict = judge([by.option("backend"), by.option("disable")], event.path, _lowers)
            if verdict is None or mentions(facts, event, "set_stance", "suppress_errors"):
                continue
            if once(reported, fault.span):
                related = Related(by.span, "compiled here")
                what = "the first call of what is compiled raises"
                yield self._told(facts, event, verdict[0], fault, what, related, outcome=Outcome.RAISES_AT_CALL)

    def _told(
        self, facts: Facts, event: Event, sure: Confidence, fault: ControlFault, what: str, related: Related,
        outcome: Outcome = outcome,
    ) -> Diagnostic:  # fmt: skip
        return self.found(
            facts,
            event,
            sure,
            f"{_SAID[fault.kind].format(fault.api)}: {what}",
            outcome=outcome,
            label="called here" if isinstance(event, ControlCall) else "traced once more",
            failing=event.versions & _RUN_ON,
            related=(related,),
            help="give it a copy: x.clone()",
        )


def _lowers(values: list[Value]) -> bool:
    backend, disable = values
    return isinstance(backend, Const) and backend.value in _LOWERING and disable in (NONE, FALSE)


def _shared(event: Exporting) -> tuple[ControlFault, Confidence] | None:
    """The first loop of an exported forward that is given one tensor in two places."""
    return next(((fault, sure) for fault, sure in met(event, event.control) if fault.late), None)
