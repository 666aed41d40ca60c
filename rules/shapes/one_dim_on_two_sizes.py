"""AOTI311."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path, Related, judge
from aoti_lint.rule.shapes import Input
from aoti_lint.rule.values import Const, DimValue, Program, Value

from ._exports import ExportRule, Fault, declared_here, entries


class OneDimOnTwoSizes(ExportRule):
    """One `Dim` stands for dimensions that have different sizes in the example inputs.

    What happens:
        The export raises `UserError: L['y'].size()[0] = 6 is not equal to L['x'].size()[0] = 4`, or before that in the
        model: `RuntimeError: The size of tensor a (s77) must match the size of tensor b (s17) at non-singleton
        dimension 0)`.

    Why:
        Dimensions with one name are one number: they must be equal in every call, and in the example.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum(), y.sum()

        rows = torch.export.Dim("rows")
        inputs = (torch.randn(4, 8), torch.randn(6, 8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "y": {0: rows}})  # <- AOTI311

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x.sum(), y.sum()

        rows, others = torch.export.dims("rows", "others")
        inputs = (torch.randn(4, 8), torch.randn(6, 8))
        torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "y": {0: others}})

    How to debug:
        Print the shapes of the example inputs beside `dynamic_shapes`.

    Sources:
        Run on torch 2.13: in two inputs and in one, used by the model or not, strict and not. Two `Dim`s with the same
        name and range are one. `draft_export` makes two dimensions of it.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI311"
    name = "one-dim-on-two-sizes"
    raised = (*ExportRule.raised, "ConstraintViolationError")
    drafts = False

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        first: dict[str, tuple[Input, int, Value, DimValue]] = {}
        for one, index, size, entry in entries(program):
            if not isinstance(entry, DimValue) or entry.kind != "named":
                continue
            if entry.name not in first:
                first[entry.name] = (one, index, size, entry)
                continue
            before, at, other, dim = first[entry.name]
            verdict = judge([other, size], path, _differ)
            if verdict is None:
                continue
            small, large = (v.value for v in verdict[1] if isinstance(v, Const))
            places = [(before, small), (one, large)]
            yield Fault(
                key=(entry.name, one.name, index),
                message=f"Dim {entry.name} is dimension {at} of {before.name}, of size {small} in the example, "
                f"and dimension {index} of {one.name}, of size {large}: the export raises",
                label=f"exported with {small} and {large}",
                help="use examples of one size, or a Dim of its own for each",
                related=(
                    *(Related(i.tensor.span, f"size {n} here") for i, n in places if i.tensor.span is not None),
                    *declared_here(dim, entry),
                ),
                confidence=verdict,
            )


def _differ(values: list[Value]) -> bool | None:
    """Whether two sizes differ; sizes 0 and 1 are another fault (AOTI302)."""
    first, second = (v.value if isinstance(v, Const) else None for v in values)
    if not isinstance(first, int) or not isinstance(second, int):
        return None
    return first != second and min(first, second) > 1
