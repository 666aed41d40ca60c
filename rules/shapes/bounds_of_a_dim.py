"""AOTI315."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule
from aoti_lint.rule.shapes import MIRRORED, integer

from ._guards import NEVER_PROVED, Fault, each_place, faults


class BoundsOfADim(Rule):
    """The forward of a model works for part of the sizes that a named `Dim` promises.

    What happens:
        The export raises `Constraints violated (length)! … Not all values of length = L['x'].size()[1] in the specified
        range satisfy the generated guard 2 <= L['x'].size()[1] and L['x'].size()[1] <= 32`. With `Dim.AUTO` or
        `Dim.DYNAMIC` the export finds the range itself. Where the rows of a table are looked up by numbers, as
        `embedding(torch.arange(x.shape[1]))` does, no export asks, and a call with a longer input raises `IndexError:
        index out of range in self`, that of a package `index out of bounds`.

    Why:
        A table of positions has only so many rows, an index has to be there, and a slice or convolution that leaves one
        row or none is traced in another way than one that leaves more. Without a range, a `Dim` promises all sizes from
        2 on.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.positions = torch.nn.Parameter(torch.zeros(32, 8))

            def forward(self, x):
                return x + self.positions[: x.shape[1]]  # <- AOTI315

        length = torch.export.Dim("length")
        program = torch.export.export(Net(), (torch.randn(2, 6, 8),), dynamic_shapes={"x": {1: length}})

        class Ranks(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.ranks = torch.nn.Embedding(16, 8)

            def forward(self, x):
                return x + self.ranks(torch.arange(x.shape[1]))  # <- AOTI315

        longer = torch.export.Dim("longer", max=64)
        program = torch.export.export(Ranks(), (torch.randn(2, 6, 8),), dynamic_shapes={"x": {1: longer}})

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.positions = torch.nn.Parameter(torch.zeros(32, 8))

            def forward(self, x):
                return x + self.positions[: x.shape[1]]

        length = torch.export.Dim("length", max=32)
        program = torch.export.export(Net(), (torch.randn(2, 6, 8),), dynamic_shapes={"x": {1: length}})

    How to debug:
        The message of the export suggests a range where it is simple. `TORCH_LOGS="+dynamic"` prints the guard with the
        line that made it.

    Sources:
        Run on torch 2.13 with slices, indices, embeddings, `narrow`, `topk` and convolutions, with and without
        `strict=True`.
    """

    code = "AOTI315"
    name = "bounds-of-a-dim"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = {
            span
            for fault in faults(facts, self.exports(facts), "bound", "slice", *NEVER_PROVED, unproved=True)
            for span in fault.places
        }
        for fault in each_place(faults(facts, self.exports(facts), "bound", "slice", "table"), told):
            guard = fault.guard
            size = fault.shown(fault.size.root)
            yield self.found(
                facts,
                fault.event,
                fault.likelihood,
                f"this needs {_asked(fault)}, which {size} = {fault.breaking} breaks: {fault.effect}",
                span=guard.span,
                severity=fault.severity,
                outcome=fault.outcome,
                doubt=fault.doubt,
                label="not for all sizes",
                related=fault.related(),
                help=_advice(fault),
                symptom="shape-mismatch" if fault.silent else "export-error",
            )


def _asked(fault: Fault) -> str:
    """What is asked of the size, which stands first."""
    guard = fault.guard
    if guard.left[0] == "const":
        return f"{fault.shown(guard.right)} {MIRRORED.get(guard.op, guard.op)} {fault.shown(guard.left)}"
    return f"{fault.shown(guard.left)} {guard.op} {fault.shown(guard.right)}"


def _advice(fault: Fault) -> str:
    """What to write for the Dim."""
    if fault.fixed:
        return "declare both sizes dynamic, or this one static"
    if fault.fitting == (None, None):
        return "declare the dimension Dim.AUTO, and the export finds the range"
    dim = fault.size.dim
    ends = [("min", max, (fault.fitting[0], integer(dim.min))), ("max", min, (fault.fitting[1], integer(dim.max)))]
    known = [(name, narrower, [n for n in both if n is not None]) for name, narrower, both in ends]
    bounds = ", ".join(f"{name}={narrower(both)}" for name, narrower, both in known if both)
    if fault.at_calls:
        return f'write Dim("{dim.name}", {bounds}), which is asked for; or make the table larger'
    return f'write Dim("{dim.name}", {bounds}), or Dim.AUTO, which finds the range'
