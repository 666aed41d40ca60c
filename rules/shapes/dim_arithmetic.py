"""AOTI341."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, catches
from aoti_lint.rule.events import DimRefused
from aoti_lint.rule.values import Const, DimValue, Value


class DimArithmetic(Rule):
    """A `Dim` is used in a formula that no dimension can have.

    What happens:
        The line raises `NotImplementedError: Attempted to multiply 0 with rows, where a positive integer was expected.
        (Only increasing linear operations with integer coefficients are supported.)`, or `TypeError: unsupported
        operand type(s) for //: 'Dim' and 'int'`.

    Why:
        A dimension can be made of one other: times a whole number above 0, plus or minus a whole number. There is no
        division, no product or sum of two dimensions, no fraction, and a dimension cannot be taken from a number.
        `Dim.AUTO` and `Dim.DYNAMIC` stand in no formula at all.

    Bad:
        import torch

        rows = torch.export.Dim("rows", max=1024)
        half = rows // 2  # <- AOTI341

    Good:
        import torch

        half = torch.export.Dim("half", max=512)
        rows = 2 * half

    How to debug:
        Name the smallest dimension, and write the others as formulas of it. Where there is no such formula, give each a
        `Dim` of its own, or `Dim.AUTO`, and let the export find out what ties them.

    Sources:
        Run on torch 2.13. `torch/export/dynamic_shapes.py` of the releases 2.5.1 to 2.15.0 (2.13.0:150).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI341"
    name = "dim-arithmetic"
    outcome = Outcome.RAISES

    def on_dim_refused(self, facts: Facts, event: DimRefused) -> Iterator[Diagnostic]:
        if catches(event.caught | event.expected, "NotImplementedError", "RuntimeError", "TypeError"):
            return
        shown = f"{event.op}{_shown(event.left)}"
        if event.right is not None:
            shown = f"{_shown(event.left)} {event.op} {_shown(event.right)}"
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"no dimension can be {shown}: the line raises",
            label="a dimension is a whole number times another, plus or minus a whole number",
            help="name the smaller dimension, and write the larger one as a formula of it, such as 2 * half",
        )


def _shown(value: Value) -> str:
    if isinstance(value, DimValue):
        hint = value.kind not in ("named", "derived")
        return f"Dim.{value.kind}" if hint else f"({value.name or 'a Dim'})" if " " in value.name else value.name
    return repr(value.value) if isinstance(value, Const) else "…"
