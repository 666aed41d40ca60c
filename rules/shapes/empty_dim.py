"""AOTI309."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Rule, Span, catches, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import NONE, Const, Value

MAKERS = ("torch.export.Dim", "torch.export.dims")


class EmptyDim(Rule):
    """A `Dim` whose range has no sizes, or only one.

    What happens:
        Making it raises `AssertionError: Cannot create Dim with inconsistent min=64, max=2`.

    Why:
        `max` must be greater than `min`, which is 0 where it is not given. A dimension of one size is static.

    Bad:
        import torch

        rows = torch.export.Dim("rows", min=64, max=2)  # <- AOTI309

    Bad:
        import torch

        rows = torch.export.Dim("rows", min=4, max=4)  # <- AOTI309

    Good:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: 4}})

    How to debug:
        The message has both numbers.

    Sources:
        `torch/export/dynamic_shapes.py`, `Dim`, of the releases 2.4.1 to 2.15.0 (2.13.0:182); run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.dynamic_shapes.Dim
    """

    code = "AOTI309"
    name = "empty-dim"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event in facts.of(ApiCall):
            if api.canonical(event.name) not in MAKERS or catches(event.caught | event.expected, "AssertionError"):
                continue
            low, high = event.arg(None, "min") or NONE, event.arg(None, "max") or NONE
            verdict = None if event.open or event.span in told else judge([low, high], event.path, _is_empty)
            if verdict is None:
                continue
            told.add(event.span)
            least, most = (v.value for v in verdict[1] if isinstance(v, Const))
            given = f"min={least}" if least is not None else "no min, which means 0,"
            same = least == most
            yield self.found(
                facts,
                event,
                verdict,
                f"a Dim with {given} and max={most} has {'one size only' if same else 'no size'}: making it raises",
                label="the range is empty" if not same else "the range is one number",
                help=f"write {least} itself in dynamic_shapes, or None" if same else "write the smaller number as min",
            )


def _is_empty(values: list[Value]) -> bool | None:
    low, high = (v.value if isinstance(v, Const) else ... for v in values)
    low = 0 if low is None else low
    if high is None:
        return False
    return high <= low if type(low) is int and type(high) is int else None
