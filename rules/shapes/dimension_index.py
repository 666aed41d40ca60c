"""AOTI306."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path
from aoti_lint.rule.inputs import parts
from aoti_lint.rule.shapes import Input
from aoti_lint.rule.values import Const, DimValue, Pairs, Program, Tup, Value

from ._exports import ExportRule, Fault, made_here


class DimensionIndex(ExportRule):
    """`dynamic_shapes` speaks of a dimension that the example input does not have, or counts from the end.

    What happens:
        With a named `Dim` or a number the export raises `IndexError: list assignment index out of range`, without a
        word about `dynamic_shapes`; a list or tuple of another length raises `UserError: Expected dynamic shape spec …
        to have the same length as the actual tensor shape`. With `Dim.AUTO` or `Dim.DYNAMIC` nothing is said, and no
        dimension is dynamic. The same holds for a negative index with `Dim.AUTO` or `Dim.DYNAMIC`.

    Why:
        The keys of an entry are the dimensions of the tensor, counted from 0. A hint marks the tensor under the index
        as it is written, which nothing asks for later.

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        rows = torch.export.Dim("rows")
        torch.export.export(model, (x,), dynamic_shapes={"input": {2: rows}})  # <- AOTI306

    Bad:
        import torch

        model, x = torch.nn.ReLU().eval(), torch.randn(4, 8)
        torch.export.export(model, (x,), dynamic_shapes={"input": {-1: torch.export.Dim.DYNAMIC}})  # <- AOTI306

    Good:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        rows = torch.export.Dim("rows")
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: rows}})

    How to debug:
        Print `program.range_constraints`: every dynamic dimension must be there.

    Sources:
        Run on torch 2.13: indices beyond both ends and negative ones, with a named Dim, a number, AUTO, DYNAMIC. A
        negative index with a named `Dim` means the dimension from the end.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI306"
    name = "dimension-index"
    raised = (*ExportRule.raised, "IndexError", "LookupError")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        for part in parts(program):
            if isinstance(part, Input) and part.tensor.shape is not None:
                yield from _faults(part, len(part.tensor.shape))


def _faults(one: Input, rank: int) -> Iterator[Fault]:
    match one.spec:
        case Tup(items=items, fields=()) if len(items) != rank and not any(isinstance(i, Tup | Pairs) for i in items):
            yield Fault(
                key=(one.name, "length"),
                message=f"{one.name} has {rank} dimensions, its entry has {len(items)}: the export raises",
                label=f"{len(items)} where {rank} are needed",
                help="write one for each dimension, or a dict of those that are dynamic",
                related=made_here(one.tensor, f"{rank} dimensions here"),
            )
        case Pairs(pairs=pairs):
            for key, entry in pairs:
                index = key.value if isinstance(key, Const) else None
                if type(index) is int and (index < 0 or index >= rank):
                    fault = _index(one, rank, index, entry)
                    if fault is not None:
                        yield fault


def _index(one: Input, rank: int, index: int, entry: Value) -> Fault | None:
    outside = not -rank <= index < rank
    hint = isinstance(entry, DimValue) and entry.kind in ("AUTO", "DYNAMIC")
    named = isinstance(entry, DimValue) and entry.kind in ("named", "derived")
    number = isinstance(entry, Const) and isinstance(entry.value, int)
    if not (hint or (outside and (named or number))):
        return None
    said = f"{one.name} has {rank} dimension{'' if rank == 1 else 's'}"
    last = f" (0 to {rank - 1})" if rank > 1 else ""
    effect = "nothing is dynamic there, and nothing says so" if hint else "the export raises"
    wrong = f"{said}{last} and no dimension {index}" if outside else f"dimension {index} of {one.name} is not looked up"
    return Fault(
        key=(one.name, index),
        message=f"{wrong}: {effect}",
        label=f"dimension {index} of {rank}",
        help="count the dimensions of the tensor from 0" if outside else f"write {rank + index} for {index}",
        related=made_here(one.tensor, f"{rank} dimensions here"),
        silent=hint,
    )
