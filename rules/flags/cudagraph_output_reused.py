"""AOTI514."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, catches, judge, weaker
from aoti_lint.rule.events import ConfigWrite, ResultRead
from aoti_lint.rule.torch import INDUCTOR
from aoti_lint.rule.values import FALSE, Choice, Compilation, Const, Device, Pairs, Value

from ..package._imports import may_meet
from ._compile import CUDAGRAPHS, MODES, is_inductor, once


class CudagraphOutputReused(Rule):
    """A tensor that a function with CUDA graphs gave is read after the next call wrote over it.

    What happens:
        Reading it raises, on a GPU only:

            RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. …
            To prevent overwriting, clone the tensor outside of torch.compile() or call
            torch.compiler.cudagraph_mark_step_begin() before each model invocation.

    Why:
        `mode="reduce-overhead"` and `"max-autotune"` replay a CUDA graph, which writes its results to the same memory
        each time. Any compiled function with CUDA graphs does so, not only the one that gave the tensor; a result that
        is given back to the function is overwritten before it is read, too. Where the script calls
        `cudagraph_mark_step_begin()`, only that ends a step: the results of one step are kept until the next begins,
        whichever functions run in it. While a backward pass is still to come nothing is overwritten: without
        `torch.no_grad()` a model in a loop may seem to work.

    Bad:
        import torch

        run = torch.compile(torch.nn.Linear(8, 4).cuda(), mode="reduce-overhead")
        with torch.no_grad():
            kept = [run(torch.full((2, 8), i, device="cuda")) for i in range(4)]
            print(torch.stack(kept))  # <- AOTI514

    Good:
        import torch

        run = torch.compile(torch.nn.Linear(8, 4).cuda(), mode="reduce-overhead")
        with torch.no_grad():
            kept = [run(torch.full((2, 8), i, device="cuda")).clone() for i in range(4)]
            print(torch.stack(kept))

    How to debug:
        The message has the line of the function that made the tensor. `mode="max-autotune-no-cudagraphs"` shows whether
        CUDA graphs are the cause, `TORCH_LOGS=cudagraphs` where graphs are recorded and skipped.

    Sources:
        Run on torch 2.11.0 with an NVIDIA GPU (recorded for this project's tests). 2.13.0
        `_inductor/cudagraph_trees.py`:2557, 2676.
        https://docs.pytorch.org/docs/stable/torch.compiler_cudagraph_trees.html
    """

    code = "AOTI514"
    name = "cudagraph-output-reused"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        switched = [e for e in facts.of(ConfigWrite) if e.module == INDUCTOR and "cudagraph" in e.key and not e.api]
        by_hand = {e.span.path for e in switched if e.value == FALSE or e.key != CUDAGRAPHS}
        for event in facts.of(ResultRead):
            made, later = event.made, event.later
            if made.gradients or later.gradients or catches(event.caught | event.expected, "RuntimeError"):
                continue
            if any(may_meet(facts, path, event.span.path) for path in by_hand):
                continue  # CUDA graphs are turned off, or told what to do
            first, second = _graphs(made.compilation), _graphs(later.compilation)
            verdict = judge([event.tensor.device, first, second], event.path, _fails)
            if verdict is None or not once(reported, event.span):
                continue
            again = made is later
            yield self.found(
                facts,
                event,
                weaker(verdict[0], Confidence.LIKELY) if again else verdict[0],
                "this reads a result that the next call of compiled code has written over: with CUDA graphs it raises",
                label="read here",
                related=(
                    Related(made.span, "the result of this call" + (", which each round overwrites" if again else "")),
                    *(() if again else (Related(later.span, "overwritten by this call"),)),
                    Related(made.compilation.span, "compiled with CUDA graphs here"),
                ),
                help="keep a copy: call .clone() on the result before compiled code runs again",
                symptom="cuda-graph-overwrite",
            )


def _fails(values: list[Value]) -> bool | None:
    device, *graphs = values
    if not isinstance(device, Device):
        return None
    return device.type == "cuda" and all(graph == Const(True) for graph in graphs)


def _graphs(by: Compilation) -> Value:
    """Whether it has CUDA graphs, as a value: True, False, or what it depends on."""
    if is_inductor(by.option("backend")) is not True or by.option("disable") not in (Const(None), FALSE):
        return FALSE
    options = by.option("options")
    if isinstance(options, Pairs):
        found = [v for k, v in options.pairs if isinstance(k, Const) and k.value == CUDAGRAPHS]
        return found[-1] if found else FALSE
    return _of_mode(by.option("mode"))


def _of_mode(mode: Value) -> Value:
    if isinstance(mode, Choice):
        return Choice(mode.cond, _of_mode(mode.then), _of_mode(mode.other))
    return Const(isinstance(mode, Const) and bool(MODES.get(str(mode.value), {}).get(CUDAGRAPHS)))
