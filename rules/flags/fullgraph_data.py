"""AOTI517."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, catches, judge, reached, weaker
from aoti_lint.rule.events import CompiledCall

from ..shapes._data import HELP, HELP_OF_INDEX, SAID
from ._compile import is_inductor, mentions, once, one_graph

_RUN_ON = VersionSet.since("2.13")
_STANCE = "set_stance"
"""What turns compiling off for the whole process; a project that names it may use it."""


_SAID = {
    **SAID,
    "copy": "the copy module copies a tensor",
    "needed": "a function needs the value in a tensor, or a number out of one",
}
_HELP = {
    **HELP,
    "copy": "write x.clone()",
    "needed": "stay with tensors: torch.sqrt(x), torch.stack([x, y]), one_hot(x, num_classes)",
    "index": HELP_OF_INDEX,
    "place": "write index.view(1) as the index",
    "untraced": "do it outside of what is compiled",
}


class FullgraphData(Rule):
    """A function compiled with `fullgraph=True` asks for the values in a tensor, or copies one as Python does.

    What happens:
        The first call raises, whatever the backend: `torch._dynamo.exc.Unsupported: Data-dependent branching` (in torch
        2.4 `Unsupported: should_compile_partial_graph=False`). For a comparison of `x.item()`, and of the size that
        `nonzero()`, `unique()` or `masked_select()` gives, it is `UserError: Could not guard on data-dependent
        expression`; for `torch.equal` and `torch.allclose` `Unsupported: Data dependent operator`. A handler inside of
        the function does not help. For `copy.copy(x)` it is `Unsupported: torch.* op returned non-Tensor`, for
        `copy.deepcopy(x)` `Attempted to copy.deepcopy a tensor`. Functions of `math`, `round`, `complex` and `one_hot`
        without `num_classes` need the value as well. With the backends that lower, `cache[:, pos]`, where `pos` is a
        tensor without dimensions, is `Could not extract specialized integer from data-dependent expression`.

    Why:
        The graph is traced with tensors that have sizes and no values, so there is nothing to decide by. Without
        `fullgraph=True` the graph is broken in two there, and Python decides between them.

    Bad:
        import torch

        @torch.compile(fullgraph=True)
        def step(x):
            if x.isnan().any():  # <- AOTI517
                return torch.zeros_like(x)
            return x * 2

        step(torch.ones(3))

    Good:
        import torch

        @torch.compile(fullgraph=True)
        def step(x):
            assert x.shape[0] > 1
            return torch.where(x.isnan().any(), torch.zeros_like(x), x * 2)

        @torch.compile
        def broken_in_two(x):
            if x.isnan().any():
                return torch.zeros_like(x)
            return x * 2

        step(torch.ones(3))
        broken_in_two(torch.ones(3))

    How to debug:
        `TORCH_LOGS=graph_breaks` lists all such places when `fullgraph=True` is left off.

    Sources:
        Run on torch 2.13.0: each of the forms above, on inputs, parameters and buffers (this project's tests). A plain
        `assert` of a tensor, and `.item()`, `int(x)` or `nonzero()` of which nothing is asked, become part of
        the graph.
        `torch/_dynamo/symbolic_convert.py`, `generic_jump`, of the releases 2.4.1, 2.9.1 and 2.15.0.
        https://docs.pytorch.org/docs/stable/generated/torch.compile.html
    """

    code = "AOTI517"
    name = "fullgraph-data"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        for event in facts.of(CompiledCall):
            use = next((one for one in event.data if one.kind in _HELP and not one.asserted), None)
            if use is None or catches(
                event.caught | event.expected, "Unsupported", "TorchDynamoException", "RuntimeError"
            ):
                continue
            graph, there = one_graph([event.compilation], event.path), reached(dict(use.path), event.path)
            if graph is None or there is None or mentions(facts, event, _STANCE):
                continue
            failing = event.versions
            if use.name == "not" or use.kind in ("index", "place"):
                backend = judge([event.compilation.option("backend")], event.path, lambda v: is_inductor(v[0]))
                graph, failing = (None if backend is None else weaker(graph, backend[0])), failing & _RUN_ON
            if graph is None or not failing or not once(reported, use.span):
                continue
            yield self.found(
                facts,
                event,
                weaker(graph, there),
                f"{_SAID.get(use.kind, use.name)}, which breaks the graph: "
                "what is compiled with fullgraph=True raises when called",
                span=use.span,
                failing=failing,
                label="asked here",
                related=(
                    Related(event.compilation.span, "compiled with fullgraph=True here"),
                    Related(event.span, "called here"),
                ),
                help=f"{_HELP[use.kind]}; or leave fullgraph=True off",
                symptom="slow",
            )
