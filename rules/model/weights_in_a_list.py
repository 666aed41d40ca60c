"""AOTI721."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, catches
from aoti_lint.rule.events import ExportEvent, WeightsGiven
from aoti_lint.rule.values import TRUE, Obj, Program

from ._kept import RUN_ON, sure

_INSTEAD = "keep layers in torch.nn.ModuleList or ModuleDict, parameters in ParameterList or ParameterDict"


class WeightsInAList(Rule):
    """An export meets a weight that its model keeps in a plain list or dict, and so has not as a parameter.

    What happens:
        With `strict=True` `KeyError: 'self___weights_0'`, or `'L__self___layers_0_weight'` for a layer in a list.
        Without, nothing raises: a checkpoint that the model is given has no such weights, and the program computes with
        those that the model was made with.

    Why:
        A module knows the parameters and layers that are its attributes, or stand in a `ParameterList`, `ModuleList`,
        `ParameterDict` or `ModuleDict`. What stands in a plain list, tuple or dict is none of them: `state_dict()`,
        `load_state_dict()`, `to()` and `eval()` pass it by, too. Without `strict=True` the export makes constants of
        such weights.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = [torch.nn.Linear(8, 8) for _ in range(2)]

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)  # <- AOTI721
                return x

        torch.export.export(Net(), (torch.ones(2, 8),), strict=True)

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8) for _ in range(2)])

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x

        torch.export.export(Net(), (torch.ones(2, 8),), strict=True)

    How to debug:
        Print `list(model.state_dict())`: the weight is not there.

    Sources:
        Run on torch 2.13, strict and not: lists, tuples and dicts of parameters and of layers, in each other and in
        modules inside (this project's tests). One that is registered elsewhere as well is fine.
    """

    code = "AOTI721"
    name = "weights-in-a-list"
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        program, failing = event.program, event.versions & RUN_ON
        if not isinstance(program, Program) or not event.outside:
            return
        if program.strict != TRUE and isinstance(program.model, Obj):
            yield from self._not_loaded(facts, event, program.model)
        if program.strict != TRUE or not failing:
            return
        if catches(event.caught | event.expected, "KeyError"):
            return
        found = [(sure(event, use.path), use) for use in event.outside]
        if not found:
            return
        order = [Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE]
        confidence, use = min(found, key=lambda pair: order.index(pair[0]))
        yield self.found(
            facts,
            event,
            confidence,
            f"self.{use.name} is a plain container: its weights are no parameters of the model, and the export raises",
            span=use.span,
            failing=failing,
            label="used here",
            related=(Related(program.span, "exported with strict=True here"),),
            help=_INSTEAD,
        )

    def _not_loaded(self, facts: Facts, event: ExportEvent, model: Obj) -> Iterator[Diagnostic]:
        """The model was given a checkpoint before, which passed these weights by."""
        before = [(one, one.taker) for one in facts.of(WeightsGiven) if one.order < event.order]
        given = [one for one, taker in before if isinstance(taker, Obj) and taker.ident == model.ident]
        # What is kept there may be given weights of its own.
        others = [taker for _, taker in before if isinstance(taker, Obj) and taker.cls != model.cls]
        use = next((use for use in event.outside if sure(event, use.path) is Confidence.CERTAIN), None)
        if not given or others or use is None:
            return
        yield self.found(
            facts,
            event,
            Confidence.LIKELY,
            f"self.{use.name} is a plain container, which load_state_dict passes by: its weights are as they were made",
            span=use.span,
            severity=Severity.WARNING,
            outcome=Outcome.SILENTLY_WRONG,
            doubt="they may be set elsewhere",
            label="used here",
            related=(Related(given[-1].span, "loaded here, without them"),),
            help=_INSTEAD,
        )
