"""AOTI333."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Outcome, Path, Related, Severity, judge
from aoti_lint.rule.inputs import span_of
from aoti_lint.rule.shapes import LEAST
from aoti_lint.rule.values import Const, DimValue, Program, Value

from ._calls import Called, CallRule, Fault, made_elsewhere, sizes


class SizeOutsideDim(CallRule):
    """A dynamic dimension is called with a size that its `Dim` does not allow.

    What happens:
        `ep.module()` raises: `AssertionError: Guard failed: x.size()[0] <= 16`. So does a package with
        `AOTI_RUNTIME_CHECK_INPUTS=1` (torch 2.7 and later): `input_handles[0]: dim value is too large at 0, expected to
        be <= 8, but got: 100`. Without it a package says nothing. It was compiled for the sizes of the `Dim`: most
        results are right, and nobody promises it.

    Why:
        The range is part of the program. Kernels are chosen, and checks left out, because no other size comes. Only a
        lower bound of 2 or less is nothing that `ep.module()` checks.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.relu()

        batch = torch.export.Dim("batch", min=2, max=16)
        program = torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
        program.module()(torch.randn(100, 8))  # <- AOTI333

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.relu()

        batch = torch.export.Dim("batch", min=2, max=128)
        program = torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
        program.module()(torch.randn(100, 8))

    How to debug:
        `print(ep.range_constraints)` shows what every size may be.

    Sources:
        Run on torch 2.13, with and without the check: sizes below and above, of `Dim`, `Dim.DYNAMIC` and `Dim.AUTO`.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI333"
    name = "size-outside-dim"
    unflattened = True
    hosts = True
    outcome = Outcome.UNCHECKED

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        for part, one, index, size in sizes(called, program):
            dim = one.declared(index)
            if dim is None or dim.kind == "STATIC" or one.marked(program, index) is not None:
                continue
            example = (one.tensor.shape or ())[index]
            bounds = [example, dim.min, dim.max]
            if dim.kind in ("named", "derived") and judge(bounds, path, partial(_outside, True)) is not None:
                continue  # AOTI302 and AOTI308 tell of the export, which made no program of it
            verdict = judge([size, dim.min, dim.max], path, partial(_outside, called.packaged))
            if verdict is None:
                continue
            got, low, high = (v.value if isinstance(v, Const) else None for v in verdict[1])
            place, said = span_of(called.event, part.place), declared(dim)
            bound = f"ends at {high}" if _above(got, high) else f"begins at {low}"
            effect = "the call raises" if called.raises else "nothing checks it, and the package was not made for it"
            yield Fault(
                (part.name, index),
                place,
                f"{part.name} has size {got} in dimension {index}, and its {said} {bound}: {effect}",
                f"size {got} here",
                f"declare the sizes that come, or call it with one from {low or 2} to {high if high else 'any'}",
                Outcome.RAISES_AT_CALL if called.raises else Outcome.UNCHECKED,
                verdict,
                (Related(dim.span or program.span, f"{bound} here"), *made_elsewhere(part.given, place)),
                Severity.ERROR if called.raises else Severity.WARNING,
            )


def declared(dim: DimValue) -> str:
    """How a dimension was declared, in words."""
    return f"Dim {dim.name}" if dim.name else f"Dim.{dim.kind}"


def _above(size: object, high: object) -> bool:
    return isinstance(size, int) and isinstance(high, int) and size > high


def _outside(packaged: bool, values: list[Value]) -> bool | None:
    """Whether a size is outside its bounds; of a bound that is not given or not known, nothing is said.

    Guards leave the lower bound 2 out, since tracing takes every size for at least that: `ep.module()` takes less.
    """
    size, low, high = (v.value if isinstance(v, Const) else None for v in values)
    if not isinstance(size, int):
        return None
    least = low if isinstance(low, int) and (packaged or low > LEAST) else 0
    return _above(size, high) or size < least
