"""AOTI723."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity

from ..shapes._data import data_uses

_SAME = "every call of the program works with the same number"
_RANDOM = (
    "drawn",
    _SAME,
    "draw it with torch.rand, which stays part of the program; or leave it out unless self.training",
)
_CLOCK = ("read", _SAME, "read the clock where the program is called, and give it to the forward as a tensor")
_SEED = (
    "set",
    "every call of the program draws other numbers",
    "set the seed where the program is called, before each call; or give the forward the noise as a tensor",
)
_OF = {"torch": _SEED, "time": _CLOCK, "datetime": _CLOCK}
"""What is said of the functions of a module."""


class DrawnAtExport(Rule):
    """A forward works with a number that is drawn at random, or with the time: the exported program has one for ever.

    What happens:
        The export says nothing, and the program, saved, compiled or not, gives the same for the same input each time:
        the layers that `random.random() < self.layerdrop` left out while it was exported are not in it. With
        `strict=True` the export raises: `torch._dynamo.exc.Unsupported`, for some `AssertionError`, or `Could not guard
        on data-dependent expression zuf0`.
        It is the other way round with `torch.manual_seed(0)` in the forward: the seed is set while it is exported and
        never again, so the program gives something else for the same input each time.

    Why:
        Export runs the forward once. What `random`, `numpy.random` and `time.time` give is a number to it, a constant
        of the program; what `torch.rand` gives is a tensor, and the drawing is part of the program.

    Bad:
        import random

        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

            def forward(self, x):
                for layer in self.layers:
                    if random.random() < 0.5:  # <- AOTI723
                        continue
                    x = layer(x)
                return x

        program = torch.export.export(Net(), (torch.randn(2, 4),))

    Good:
        import random

        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

            def forward(self, x):
                for layer in self.layers:
                    if self.training and random.random() < 0.5:
                        continue
                    x = layer(x)
                return x

        program = torch.export.export(Net().eval(), (torch.randn(2, 4),))

    How to debug:
        Call `program.module()` and the model several times with one input: the model gives different results.

    Sources:
        Run on torch 2.13: 27 functions of `random` and `numpy.random`, strict and not, each program called five times;
        `random.shuffle`, generators of `random.Random` and `numpy.random.default_rng`, and `datetime.now`;
        `torch.manual_seed` before `torch.randn` and, within `torch.random.fork_rng()`, before `torch.rand_like`.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI723"
    name = "drawn-at-export"
    onnx = True
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, use, failing, confidence in data_uses(facts, self.exports(facts), "drawn"):
            what, then, advice = _OF.get(use.name.partition(".")[0], _RANDOM)
            yield self.found(
                facts,
                event,
                confidence,
                f"this is {what} once, at the export: {then}",
                span=use.span,
                failing=failing,
                label=f"{what} here",
                related=(Related(event.span, "exported here"),),
                help=advice,
                symptom="wrong-result",
            )
