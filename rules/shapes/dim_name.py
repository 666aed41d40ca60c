"""AOTI310."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Rule, Span, VersionSet, catches, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import Const, Value

CHECKED = VersionSet.since("2.5")
"""Releases that look at the name (2.5.1 `dynamic_shapes.py:228`; 2.4.1 does not)."""


class DimName(Rule):
    """A `Dim` has a name that is no Python identifier.

    What happens:
        Making it raises `AssertionError: Dim name must be a valid identifier, got batch size`.

    Why:
        The name becomes a symbol in the program, and a variable in the code that torch suggests.

    Bad:
        import torch

        rows = torch.export.Dim("batch size")  # <- AOTI310

    Good:
        import torch

        rows = torch.export.Dim("batch_size")

    How to debug:
        `"batch size".isidentifier()` says whether a name may be used.

    Sources:
        `torch/export/dynamic_shapes.py`, `Dim`, of the releases 2.5.1 to 2.15.0 (2.13.0:186); run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.dynamic_shapes.Dim
    """

    code = "AOTI310"
    name = "dim-name"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event in facts.of(ApiCall):
            called = api.canonical(event.name)
            if called not in ("torch.export.Dim", "torch.export.dims"):
                continue
            failing = event.versions & CHECKED
            if not failing or catches(event.caught | event.expected, "AssertionError"):
                continue
            named = event.arg(0, "name") if called == "torch.export.Dim" else None
            names = [named] if named is not None else list(event.args) if called == "torch.export.dims" else []
            for index, name in enumerate(names):
                verdict = judge([name], event.path, _is_no_name)
                place = event.place(index, "name")
                if verdict is None or place in told:
                    continue
                told.add(place)
                bad = verdict[1][0]
                text = bad.value if isinstance(bad, Const) and isinstance(bad.value, str) else ""
                better = "".join(c if c.isalnum() else "_" for c in text)
                better = better if better.isidentifier() else f"dim_{better}"
                yield self.found(
                    facts,
                    event,
                    verdict,
                    f"{text!r} cannot be the name of a Dim, it is no identifier: making it raises",
                    span=place,
                    failing=failing,
                    label="not an identifier",
                    help=f'write "{better}"',
                )


def _is_no_name(values: list[Value]) -> bool | None:
    """Whether a value is a string that is no identifier."""
    value = values[0].value if isinstance(values[0], Const) else None
    return not value.isidentifier() if isinstance(value, str) else None
