"""AOTI302."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Path,
    Related,
    Rule,
    Severity,
    catches,
    dataclass,
    judge,
)
from aoti_lint.rule.events import ExportEvent
from aoti_lint.rule.links import Candidate, overall
from aoti_lint.rule.shapes import Input, inputs, variants
from aoti_lint.rule.values import Const, Program, Value

from ._exports import USER_ERROR


@dataclass(frozen=True, slots=True)
class Fault:
    """A dimension of an input that is declared dynamic; `silent` where nothing raises."""

    confidence: Confidence
    input: Input
    dim: int
    size: Value
    silent: bool


_DYNAMIC = (*USER_ERROR, "ValueError")
"""What the export ends in for `Dim.DYNAMIC`; for a named `Dim` it is no `ValueError`. Run on torch 2.13."""


class ExampleSize0Or1(Rule):
    """An example input has size 0 or 1 in a dimension that is declared dynamic.

    What happens:
        With a named `Dim` or `Dim.DYNAMIC` the export raises: `Constraints violated (batch)! … You marked batch as
        dynamic but your code specialized it to be a constant (1).` With `Dim.AUTO` nothing raises: the dimension
        becomes static and the only sign is a log message.

    Why:
        Sizes 0 and 1 are always treated as constants while tracing, because broadcasting makes code behave differently
        for them. `min=1` of the `Dim` does not change that: it is the example's size that counts.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.relu()

        batch = torch.export.Dim("batch", min=1, max=64)
        program = torch.export.export(Net(), (torch.randn(1, 8),), dynamic_shapes={"x": {0: batch}})  # <- AOTI302

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.relu()

        batch = torch.export.Dim("batch", min=1, max=64)
        program = torch.export.export(Net(), (torch.randn(2, 8),), dynamic_shapes={"x": {0: batch}})

    How to debug:
        Export with an example of size 2 or more and print `program.range_constraints`: the dimension must be there.

    Sources:
        Run on torch 2.13: named Dim, DYNAMIC and AUTO, sizes 0 and 1, with and without
        `torch.fx.experimental._config.backed_size_oblivious` (which allows it).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI302"
    name = "example-size-0-or-1"
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        program = event.program
        if not isinstance(program, Program) or program.oblivious or program.is_draft:
            return
        candidates = [Candidate(variant, path=answers) for answers, variant in variants(program, event.path)]
        faults = [dict(self._faults(event, c.value, c.path)) for c in candidates if isinstance(c.value, Program)]
        for place in dict.fromkeys(p for found in faults for p in found):
            verdicts = [found[place].confidence if place in found else None for found in faults]
            confidence = overall(candidates, verdicts, event)
            if confidence is not None:
                fault = next(found[place] for found in faults if place in found)
                yield self._report(facts, event, fault, confidence)

    @staticmethod
    def _faults(event: ExportEvent, program: Program, path: Path) -> Iterator[tuple[tuple[str, int], Fault]]:
        """The dimensions of one form of the export that are declared dynamic and whose example has size 0 or 1."""
        for one in inputs(program):
            for dim, size in enumerate(one.tensor.shape or ()):
                freedom = one.freedom(program, dim)
                if freedom not in ("dynamic", "auto") or one.marked(program, dim) is not None:
                    continue
                silent = freedom == "auto"
                raised = USER_ERROR if (spec := one.declared(dim)) is not None and spec.kind == "named" else _DYNAMIC
                if catches(event.expected if silent else event.caught | event.expected, *raised):
                    continue
                verdict = judge([size], {**event.path, **path}, is_0_or_1)
                if verdict is not None:
                    yield (one.name, dim), Fault(verdict[0], one, dim, verdict[1][0], silent)

    def _report(self, facts: Facts, event: ExportEvent, fault: Fault, confidence: Confidence) -> Diagnostic:
        one, dim, silent = fault.input, fault.dim, fault.silent
        number = fault.size.value if isinstance(fault.size, Const) else "1"
        effect = "it silently becomes static" if silent else "the export raises"
        spec = one.declared(dim)
        related = [Related(one.tensor.span, f"size {number} here")] if one.tensor.span is not None else []
        if spec is not None and spec.span is not None:
            related.append(Related(spec.span, "declared dynamic here"))
        return self.found(
            facts,
            event,
            confidence,
            f"dimension {dim} of {one.name} is declared dynamic, but its example has size {number}: {effect}",
            severity=Severity.WARNING if silent else Severity.ERROR,
            outcome=Outcome.SILENTLY_WRONG if silent else Outcome.RAISES_AT_EXPORT,
            label=f"exported with size {number} in a dynamic dimension",
            related=tuple(related),
            help="use an example of size 2 or more in that dimension; the range of the Dim may still begin at 1",
            symptom="export-error",
        )


def is_0_or_1(values: list[Value]) -> bool | None:
    """Whether a size is 0 or 1; None if it is not known."""
    return values[0].value in (0, 1) if isinstance(values[0], Const) else None
