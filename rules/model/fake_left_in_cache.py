"""AOTI728."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Related, Rule
from aoti_lint.rule.events import Exporting, FakeMet, OnnxExport
from aoti_lint.rule.shapes import non_strict
from aoti_lint.rule.values import Program


class FakeLeftInCache(Rule):
    """A forward keeps a tensor in a cache while it is exported, and gets it from there later: it has no numbers.

    What happens:
        The model gives a `FakeTensor` from then on, and what needs its numbers raises: `DataDependentOutputException:
        aten.allclose.default`, `Cannot access data pointer of Tensor (e.g. FakeTensor, FunctionalTensor)`. A second
        export raises `We found a fake tensor in the exported program constant's list`.

    Why:
        An export that is not strict runs the forward with tensors that have sizes and no numbers. What it assigns to
        attributes of the model is taken back after it. What it puts into a dict or list of the file, or what
        `functools.lru_cache` keeps, stays.

    Bad:
        import functools

        import torch

        @functools.lru_cache
        def positions(n):
            return torch.arange(n) * 0.5

        class Net(torch.nn.Module):
            def forward(self, x):
                return x + positions(x.shape[1])  # <- AOTI728

        model, x = Net().eval(), torch.randn(2, 4)
        program = torch.export.export(model, (x,))
        torch.testing.assert_close(program.module()(x), model(x))

    Good:
        import functools

        import torch

        @functools.lru_cache
        def positions(n):
            return torch.arange(n) * 0.5

        class Net(torch.nn.Module):
            def forward(self, x):
                return x + positions(x.shape[1])

        model, x = Net().eval(), torch.randn(2, 4)
        program = torch.export.export(model, (x,))
        positions.cache_clear()
        torch.testing.assert_close(program.module()(x), model(x))

    How to debug:
        `print(type(model(x)))` says `FakeTensor`. The cache is what the forward writes into besides its attributes.

    Sources:
        Run on torch 2.13: `lru_cache` of functions and methods, dicts and lists of a file, strict and not; the model
        called, exported and compiled afterwards. A dict that is an attribute of the model is put back.
    """

    code = "AOTI728"
    name = "fake-left-in-cache"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        exports = {event.span: event for event in facts.of(Exporting)}
        for event in facts.of(FakeMet, in_exports=True):
            export = exports.get(event.exported)
            if export is None or not isinstance(export.program, Program):
                continue
            failing = event.versions & export.versions
            if not isinstance(export, OnnxExport):  # the first that it tries is not strict
                failing &= non_strict(export.program)
            if failing:
                yield self.found(
                    facts,
                    event,
                    Confidence.CERTAIN,
                    "this takes a tensor without numbers out of a cache, where the forward put it during an export",
                    failing=failing,
                    label="taken here",
                    related=(Related(export.span, "exported here"),),
                    help="make the tensor in __init__ and keep it with register_buffer(…, persistent=False); "
                    "or empty the cache after the export",
                )
