"""AOTI617."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches, weaker
from aoti_lint.rule.events import FileEvent
from aoti_lint.rule.links import link_between, writers_of
from aoti_lint.rule.values import NONE, TRUE

_ONLY_WEIGHTS = VersionSet.since("2.6")
"""Releases whose `torch.load` reads nothing but weights where it is not asked to (`torch/serialization.py`)."""
_ALLOWING = ("safe_globals", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
"""What lets it read more."""


class WholeModelLoaded(Rule):
    """A model that was saved whole is read by `torch.load` without `weights_only=False`.

    What happens:
        `torch.load` raises `_pickle.UnpicklingError: Weights only load failed. … Unsupported global: GLOBAL net.Net was
        not an allowed global by default.` Up to torch 2.5 it warned and loaded the model.

    Why:
        `torch.save(model, …)` pickles the object with its class; `torch.save(model.state_dict(), …)` writes tensors and
        their names alone. To read the first is to run what the file says, so since torch 2.6 it has to be asked for.

    Bad:
        # torch: 2.6..2.15
        # file: train.py
        import torch

        torch.save(torch.nn.Linear(8, 4), "linear.pt")

        # file: build.py
        import torch

        model = torch.load("linear.pt").eval()  # <- AOTI617
        program = torch.export.export(model, (torch.ones(2, 8),))

    Good:
        # torch: 2.6..2.15
        # file: train.py
        import torch

        torch.save(torch.nn.Linear(8, 4).state_dict(), "linear.pt")

        # file: build.py
        import torch

        model = torch.nn.Linear(8, 4)
        model.load_state_dict(torch.load("linear.pt"))
        program = torch.export.export(model.eval(), (torch.ones(2, 8),))

    How to debug:
        `torch.serialization.get_unsafe_globals_in_checkpoint(path)` lists the classes that a file wants.

    Sources:
        Run on torch 2.13: models, alone and in dicts, compiled models and graph modules.
        https://docs.pytorch.org/docs/stable/notes/serialization.html#torch-load-with-weights-only-true
    """

    code = "AOTI617"
    name = "whole-model-loaded"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(FileEvent):
            failing = event.versions & (_ONLY_WEIGHTS if event.weights_only == NONE else event.versions)
            if event.api != "torch.load" or event.weights_only not in (NONE, TRUE) or not failing:
                continue
            if catches(event.caught | event.expected, "UnpicklingError", "PickleError", "Exception"):
                continue
            if any(facts.project.mentions(word).files for word in _ALLOWING):
                continue
            links = [
                (sure, other)
                for other in writers_of(facts, FileEvent, event.file)
                if other.api == "torch.save"
                if (sure := link_between(event.file, event, other.file, other)) is not None
            ]
            if not links or not all(other.pickled for _, other in links):
                continue
            sure = weaker(*(link for link, _ in links)) if len(links) > 1 else links[0][0]
            first = links[0][1]
            yield self.found(
                facts,
                event,
                sure,
                f"the file holds a whole {first.pickled.rpartition('.')[2]}, and torch.load reads weights only: "
                "it raises",
                failing=failing,
                label="loaded here",
                related=(Related(first.span, "saved whole here"),),
                help="save model.state_dict() instead, or, of a file that you trust, load it with weights_only=False",
                symptom="load-error",
            )
