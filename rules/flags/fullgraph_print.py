"""AOTI515."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, catches, usual
from aoti_lint.rule.events import ApiCall, CompiledCall
from aoti_lint.rule.torch import untraced

from ._compile import mentions, once, one_graph

_LOGGING = ("debug", "info", "warning", "error", "critical", "exception", "log", "warn")
_DISABLED = "torch.compiler.disable()"
_HOOKED = "torch.nn.Module.register_full_backward_hook()"
_RECURRENT = "torch.nn.RNN()"
_BREAKING = {
    "print", "breakpoint", "input", "warnings.warn", "pdb.set_trace", "torch._dynamo.graph_break", _DISABLED, _HOOKED,
    _RECURRENT,
    *(f"{owner}.{name}" for owner in ("logging", "logging.Logger") for name in _LOGGING),
}  # fmt: skip
_RUN_ON = VersionSet.since("2.13")
_ALLOWING = ("reorderable_logging_functions", "ignore_logging_functions", "ignore_logger_methods", "set_stance")
"""Settings of `torch._dynamo.config` that let some of these through, and what turns compiling off; a project that names
one may use it."""
_LETTING = {
    _HOOKED: ("set_stance", "compiled_autograd", "_backward_hooks"),
    _RECURRENT: ("set_stance", "allow_rnn"),
    untraced.GRADIENTS: (*_ALLOWING, "trace_autograd_ops"),
}
_HELP = {
    _HOOKED: "hook the tensors outside instead (y.register_hook), or leave fullgraph=True off",
    _RECURRENT: "set torch._dynamo.config.allow_rnn = True, or leave fullgraph=True off",
    untraced.GRADIENTS: "write torch.func.grad, or take the gradient outside",
}


class FullgraphPrint(Rule):
    """A function compiled with `fullgraph=True` prints, logs, warns, or calls what does not go into one graph.

    What happens:
        The first call raises, whatever the backend:

            torch._dynamo.exc.Unsupported: Failed to trace builtin operator
            Explanation: Dynamo does not know how to trace builtin operator `print` with argument types ['str'] …

        For a logger it is `logging.Logger method not supported for non-export cases`, for a warning `Attempted to call
        function marked as skipped` (`Graph break due to unsupported Python builtin _warnings.warn` before torch 2.7).
        Where a function is called that `@torch.compiler.disable` decorates, it is ``Skip calling
        `torch.compiler.disable()`d function`` (or `Skip inlining …`), and ``Call to `torch._dynamo.graph_break()` ``
        where the graph is broken on purpose. Where a module is called that has a full backward hook, or pre-hook, it is
        `Module-level backwards hooks require compiled autograd`, also under `torch.no_grad()`; for an RNN, LSTM or GRU
        `Attempted to wrap RNN, GRU, or LSTM`, unless `torch._dynamo.config.allow_rnn` is on. Clocks, files, `random`,
        `torch.manual_seed`, `torch.autograd.grad`, `y.backward()`, `torch.save` and their like are not traced either:
        `Attempted to call function marked as skipped`, `Unsupported Tensor.backward() call`; a handler there does not
        help. Without `fullgraph=True` all are what they are meant to be, and no error.

    Why:
        What has an effect outside of the graph breaks it in two, and `fullgraph=True` forbids that. A level that is
        turned off does not help: the call itself cannot be traced. `torch.export.export` traces both prints and loggers
        without complaint, and drops them.

    Bad:
        import logging

        import torch

        log = logging.getLogger(__name__)


        def scaled(x):
            log.debug("scaling")  # <- AOTI515
            return x * 2


        @torch.compiler.disable
        def record(x):
            print(x.sum())


        @torch.compile(fullgraph=True)
        def step(x):
            print("step")  # <- AOTI515
            record(x)  # <- AOTI515
            return scaled(x) + 1


        step(torch.ones(3))

    Bad:
        import torch

        layer = torch.nn.Linear(3, 3)
        layer.register_full_backward_hook(lambda module, before, after: None)


        @torch.compile(fullgraph=True)
        def step(x):
            return layer(x) * 2  # <- AOTI515


        step(torch.ones(3))

    Bad:
        import time

        import torch


        @torch.compile(fullgraph=True)
        def step(x):
            begun = time.perf_counter()  # <- AOTI515
            return x * 2, begun


        step(torch.ones(3))

    Good:
        import torch


        @torch.compile(fullgraph=True)
        def step(x):
            if not torch.compiler.is_compiling():
                print("step")
            return x * 2 + 1


        @torch.compile
        def talking(x):
            print("step")
            return x * 2 + 1


        step(torch.ones(3))
        talking(torch.ones(3))

    How to debug:
        `TORCH_LOGS=graph_breaks` lists them all without `fullgraph=True`. To keep the prints, add the function to
        `torch._dynamo.config.reorderable_logging_functions`; they then come after the graph has run. Since torch 2.11
        `ignore_logging_functions` leaves them out (`ignore_logger_methods` in 2.6 to 2.10).

    Sources:
        Run on torch 2.13.0 and 2.4.1 (this project's tests); clocks, files and the like on 2.13.0 only, each of them.
        `torch/_dynamo/config.py` of the releases 2.4.1 to 2.15.0.
        https://docs.pytorch.org/docs/stable/generated/torch.compile.html
    """

    code = "AOTI515"
    name = "fullgraph-print"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        for event in facts.of(ApiCall):
            if not event.within or (event.name not in _BREAKING and event.name not in untraced.REFUSED):
                continue
            failing = event.versions if event.name in _BREAKING else event.versions & _RUN_ON
            if catches(event.caught | event.expected, "Unsupported", "TorchDynamoException", "RuntimeError"):
                continue
            if event.name == _DISABLED and _is_compiled_itself(facts, event):
                continue
            if event.name == _HOOKED and _has_run(facts, event):
                continue
            sure = one_graph(event.within, event.path)
            allowing = _LETTING.get(event.name, _ALLOWING)
            if sure is None or not failing or mentions(facts, event, *allowing) or event.is_after_failure:
                continue
            if not once(reported, event.span):
                continue
            yield self.found(
                facts,
                event,
                Confidence.POSSIBLE if _is_asked_for(facts, event) else sure,
                f"{_named(event)} cannot be part of one graph: the first call of the function compiled with "
                "fullgraph=True raises",
                failing=failing,
                label="breaks the graph",
                related=(Related(event.within[0].span, "compiled with fullgraph=True here"),),
                help=_HELP.get(event.name, "do it outside, or behind `if not torch.compiler.is_compiling():`"),
                symptom="slow",
            )


def _named(event: ApiCall) -> str:
    if event.name == _DISABLED:
        return "a function that torch.compiler.disable keeps out of compiling"
    if event.name == _HOOKED:
        return "a module with a full backward hook"
    if event.name == _RECURRENT:
        return "an RNN, LSTM or GRU"
    return event.name.removeprefix("logging.Logger.")


def _is_compiled_itself(facts: Facts, event: ApiCall) -> bool:
    """Whether this is the call of what was compiled, which then is not compiled at all, and runs."""
    return any(call.span == event.span and call.compilation in event.within for call in facts.of(CompiledCall))


def _has_run(facts: Facts, event: ApiCall) -> bool:
    """Whether this is no first call: what was compiled before a hook was registered runs without it."""
    by = event.within[0]
    return any(call.compilation == by and call.order < event.order for call in facts.of(CompiledCall))


def _is_asked_for(facts: Facts, event: ApiCall) -> bool:
    """Whether it stands, inside of the compiled function, behind what is not usually so: a flag for debugging."""
    by = event.within[0]
    calls = (call for call in facts.of(CompiledCall) if call.compilation == by and call.order > event.order)
    call = next(calls, None)
    return call is not None and any(
        condition not in call.path and condition.kind != "version" and usual(condition) != answer
        for condition, answer in event.path.items()
    )
