"""AOTI344."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, catches, judge, weaker
from aoti_lint.rule.events import ApiCall, ExportEvent
from aoti_lint.rule.torch import untraced
from aoti_lint.rule.values import NONE, TRUE, Program

from ..flags._compile import once
from ..model._forward import met
from ._data import data_uses

_RAISED = ("Unsupported", "RuntimeError", "TorchDynamoException", "AssertionError")
_NAMED = {
    "torch.compiler.disable()": "a function that torch.compiler.disable decorates",
    "torch._dynamo.graph_break": "torch._dynamo.graph_break",
}
"""What breaks a graph on purpose, by what a call of it is told as, and what a message calls it."""
_REFUSED = untraced.REFUSED | untraced.DRAWN | _NAMED.keys()
_RUN_ON = VersionSet.since("2.13")


class StrictCall(Rule):
    """The forward of a model that is exported with `strict=True` calls what torch does not trace.

    What happens:
        The export raises: `torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped`, `Failed to
        trace builtin operator`, `Unsupported Tensor.backward() call`, `using torch.autograd.grad`. For
        a function that `@torch.compiler.disable` decorates it is ``Skip calling `torch.compiler.disable()`d function``,
        for `random.randint` and its like `AssertionError: Dynamo attempts to add additional input during export`. A
        handler in the forward does not help.

    Why:
        With `strict=True` the Python code itself is traced, and these calls have no meaning in a graph: clocks, files,
        random numbers of Python, seeds, processes, the frames of the stack, gradients; texts and lists of tensors.
        Without it the code just runs, once, and what such a call gave is a constant of the program.

    Bad:
        import time

        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                begun = time.perf_counter()  # <- AOTI344
                y = x * 2
                self.took = time.perf_counter() - begun
                return y

        torch.export.export(Net(), (torch.randn(4),), strict=True)

    Bad:
        import torch

        @torch.compiler.disable
        def record(x):
            return x.detach()

        class Net(torch.nn.Module):
            def forward(self, x):
                return record(x * 2)  # <- AOTI344

        torch.export.export(Net(), (torch.randn(4),), strict=True)

    Good:
        import time

        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if not torch.compiler.is_compiling():
                    print("at", time.perf_counter())
                return x * 2

        torch.export.export(Net(), (torch.randn(4),), strict=True)

    How to debug:
        The last lines of the message, below `from user code:`, are the place. `TORCH_LOGS=graph_breaks` prints it, too.

    Sources:
        Run on torch 2.13: each of the calls, 30 forms of the others. `print`, `warnings.warn` and loggers are taken.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI344"
    name = "strict-call"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set[Span]()
        for event in facts.of(ExportEvent):
            strict = event.program.strict if isinstance(event.program, Program) else NONE
            verdict = judge([strict], event.path, lambda values: values[0] == TRUE)
            if verdict is None:
                continue
            refused = filter(_is_refused, facts.during(event, ApiCall))
            first = next(met(event, refused), None)
            if first is not None and once(told, first[0].span):
                call, sure = first
                yield self.found(
                    facts,
                    call,
                    weaker(sure, verdict[0]),
                    f"{_NAMED.get(call.name, call.name)} cannot be traced, and strict=True traces the code itself: the "
                    "export raises",
                    failing=call.versions & _RUN_ON,
                    label="called here",
                    related=(Related(event.span, "exported with strict=True here"),),
                    help="do it outside, or behind `if not torch.compiler.is_compiling():`, or drop strict=True",
                    symptom="export-error",
                )
        for exporting, use, failing, confidence in data_uses(facts, facts.of(ExportEvent), "untraced"):
            if failing & _RUN_ON and once(told, use.span):
                yield self.found(
                    facts,
                    exporting,
                    confidence,
                    f"{use.name} cannot be traced, and strict=True traces the code itself: the export raises",
                    span=use.span,
                    failing=failing & _RUN_ON,
                    label="here",
                    related=(Related(exporting.span, "exported with strict=True here"),),
                    help="do it outside, or drop strict=True",
                    symptom="export-error",
                )


def _is_refused(call: ApiCall) -> bool:
    known = bool(call.versions & _RUN_ON) and call.name in _REFUSED
    return known and not catches(call.caught | call.expected, *_RAISED)
