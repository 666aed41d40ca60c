"""AOTI350."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path, Related, VersionSet
from aoti_lint.rule.shapes import LEAST, Input, inputs, integer
from aoti_lint.rule.values import FALSE, NONE, DimValue, Program

from ._exports import ExportRule, Fault, declared_here


class ExampleWithGaps(ExportRule):
    """An example input is a part of a larger tensor, and a size that its `Dim` allows would make it whole.

    What happens:
        The export raises `UserError: Constraints violated (t)! … Not all values of t = L['x'].size()[1] in the
        specified range satisfy the generated guard L['x'].size()[1] != 9`. With `strict=True`, `Dim.AUTO` or
        `Dim.DYNAMIC` it does not.

    Why:
        A slice such as `x[:, :7]` keeps the strides of the whole, of 9 columns. Tracing asks whether the example lies
        in memory without gaps, compares the stride 9 with the open size, and holds the answer for all calls: the size
        may be anything but 9.

    Bad:
        # torch: 2.13
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        tokens = torch.randn(2, 9)
        time = torch.export.Dim("time", max=64)
        torch.export.export(Net(), (tokens[:, :7],), dynamic_shapes={"x": {1: time}})  # <- AOTI350

    Good:
        # torch: 2.13
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        tokens = torch.randn(2, 9)
        time = torch.export.Dim("time", max=64)
        torch.export.export(Net(), (tokens[:, :7].contiguous(),), dynamic_shapes={"x": {1: time}})

    How to debug:
        Print `x.stride()` and `x.is_contiguous()` of the example inputs.

    Sources:
        Run on torch 2.13: 39 slices and `Dim`s of one to four dimensions, strict and not.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI350"
    name = "example-with-gaps"
    drafts = False
    releases = VersionSet.since("2.13")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        for one in inputs(program) if program.strict in (FALSE, NONE) else ():
            found = _ruled_out(one)
            if found is None:
                continue
            index, dim, size = found
            yield Fault(
                key=(one.name, index),
                message=f"{one.name} is a part of a larger tensor, which it would be the whole of if {dim.name} were "
                f"{size}: the export rules that size out, and Dim {dim.name} allows it: it raises",
                label="exported with a part of a larger tensor",
                help="end what makes the example input in .contiguous()",
                related=(
                    *([] if one.tensor.span is None else [Related(one.tensor.span, "made here")]),
                    *declared_here(dim),
                ),
            )


def _ruled_out(one: Input) -> tuple[int, DimValue, int] | None:
    """The one open dimension that a stride is compared with, its `Dim`, and the size that would fit; None without one.

    Torch goes from the last dimension to the first, and ends at the first stride that does not fit.
    """
    shape, strides = one.tensor.shape or (), one.tensor.strides or ()
    fitting, opened = 1, list[tuple[int, DimValue, int]]()
    for index in reversed(range(len(shape) if len(shape) == len(strides) else 0)):
        size, stride, dim = integer(shape[index]), strides[index], one.declared(index)
        if size is None or stride is None or (dim is not None and dim.kind != "named"):
            return None
        if stride != fitting and size != 1:
            if len(opened) != 1:
                return None
            at, named, example = opened[0]
            whole, rest = divmod(stride * example, fitting)
            least, most = integer(named.min), integer(named.max)
            low, high = least if least is not None else 0, most if most is not None else whole
            known = (least is not None or named.min == NONE) and (most is not None or named.max == NONE)
            fits = known and not rest and max(low, LEAST) <= whole <= high
            return (at, named, whole) if fits else None
        if dim is not None:
            opened.append((index, dim, size))
        fitting *= size
    return None
