"""AOTI224."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.events import ApiCall, AttributeUse, CompileEvent, Event, PlainCall, SaveEvent
from aoti_lint.rule.links import written_to
from aoti_lint.rule.values import FALSE, NONE, LoadedProgram, Program, leaves

from ._calls import DECOMPOSE
from ._thrown_away import written_losses

_GRAPH = frozenset({"graph", "graph_module"})
"""What of a program has its operators in it."""
_Use = CompileEvent | SaveEvent | AttributeUse


class ResultThrownAway(Rule):
    """What `torch.compile(model)` or `program.run_decompositions()` gives is thrown away.

    What happens:
        Nothing fails and nothing changes: the model is not compiled, and what is saved or packaged has the operators
        from before, as has the graph that is read.

    Why:
        Both leave what they are given as it is, and give another one.

    Bad:
        import torch

        net = torch.nn.Linear(4, 2)
        torch.compile(net, mode="max-autotune")  # <- AOTI224
        net(torch.randn(3, 4))

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(4, 2), (torch.randn(3, 4),))
        program.run_decompositions()  # <- AOTI224
        torch.export.save(program, "net.pt2")

    Good:
        import torch

        net = torch.nn.Linear(4, 2)
        net = torch.compile(net, mode="max-autotune")
        other = torch.nn.Linear(4, 2)
        other.compile()
        program = torch.export.export(other, (torch.randn(3, 4),))
        program = program.run_decompositions()
        torch.export.save(program, "net.pt2")

    How to debug:
        `print(program.graph)` shows the operators; `TORCH_LOGS=dynamo` says what is compiled.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/generated/torch.compile.html
    """

    code = "AOTI224"
    name = "result-thrown-away"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "what is used below may be another one of that name"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event in facts.of(PlainCall):
            place = event.compilation.span
            if place not in told and event.compilation.option("disable") in (NONE, FALSE):
                told.add(place)
                yield self._report(facts, event, place, event.span, *_SAID[0])
        read = (one for one in facts.of(AttributeUse) if one.used == "read" and one.name in _GRAPH)
        uses: list[_Use] = [*facts.of(CompileEvent), *facts.of(SaveEvent), *read]
        for call in facts.of(ApiCall):
            if call.name == DECOMPOSE and call.discarded and call.span not in told:
                use = _use(uses, call)
                if use is not None:
                    told.add(call.span)
                    yield self._report(facts, call, call.span, use.span, *_SAID[1])

        for loss, lost in written_losses(facts):
            if loss.span not in told:
                told.add(loss.span)
                yield self._report(facts, loss, loss.span, lost, *_SAID[loss.name == DECOMPOSE])

    def _report(self, facts: Facts, event: Event, place: Span, use: Span, what: str, help: str) -> Diagnostic:
        return self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{what} another one, which is thrown away",
            span=place,
            label="lost here",
            related=(Related(use, "used as it was before here"),),
            help=help,
        )


_SAID = (
    ("the model stays uncompiled: torch.compile gives", "model = torch.compile(model), or model.compile()"),
    ("the program stays as it is: this gives", "program = program.run_decompositions(…)"),
)


def _use(uses: list[_Use], event: ApiCall) -> _Use | None:
    """What packages or saves the program that was not decomposed, or reads its graph, later in the same run."""
    ours = [leaf.ident for _, leaf in leaves(event.receiver or NONE) if isinstance(leaf, Program | LoadedProgram)]
    later = (one for one in uses if event.is_before(one))
    used = (one for one in later if any(number in ours for number in _used(one)))
    return min(used, key=lambda one: one.order, default=None)


def _used(use: _Use) -> Iterator[int]:
    made = leaves(use.of if isinstance(use, AttributeUse) else written_to(use)[1], use.path)
    yield from (leaf.ident for _, leaf in made if isinstance(leaf, Program | LoadedProgram))
