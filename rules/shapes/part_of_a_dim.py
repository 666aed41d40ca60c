"""AOTI327."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule

from ._guards import NEVER_PROVED, each_place, faults

_MULTIPLES = "; or, if only its multiples occur, write k * Dim(…) for it"
_LABELS = {"reshape": "reshapes a rounded size", "frames": "goes over a dynamic size"}


class PartOfADim(Rule):
    """The forward takes a part of a named `Dim`, such as half of it, and torch cannot prove that it fits.

    What happens:
        The export raises `Constraints violated (length)! … Not all values of length = L['x'].size()[1] in the specified
        range satisfy the generated guard (L['x'].size()[1] // 2) <= L['x'].size()[1]`, also where that is true of all
        sizes. `Dim.AUTO` and `Dim.DYNAMIC` leave the guard to the program.

    Why:
        For a named `Dim` torch has to prove every guard for the whole range, and it knows the range of `n // 2` and of
        `n` alone, not what they have to do with each other. Of `chunk` and `tensor_split` it asks how many parts there
        are, of `torch.stft` whether there is more than one window. For `2 * half` it calculates: `2 * half // 2` is
        `half`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                half = x.shape[1] // 2
                return torch.cat([x[:, half:], x[:, :half]], 1)  # <- AOTI327

        length = torch.export.Dim("length", min=4, max=512)
        torch.export.export(Net(), (torch.randn(3, 10),), dynamic_shapes={"x": {1: length}})

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                left, right = x.chunk(2, 1)  # <- AOTI327
                return left * right.sigmoid()

        length = torch.export.Dim("length", min=4, max=512)
        torch.export.export(Net(), (torch.randn(3, 10),), dynamic_shapes={"x": {1: length}})

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                left, right = x.chunk(2, 1)
                return left * right.sigmoid()

        half = torch.export.Dim("half", min=2, max=256)
        torch.export.export(Net(), (torch.randn(3, 10),), dynamic_shapes={"x": {1: 2 * half}})

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x[:, : x.shape[1] // 2]

        torch.export.export(Net(), (torch.randn(3, 10),), dynamic_shapes={"x": {1: torch.export.Dim.AUTO}})

    How to debug:
        Read the guards in the message of the export: one that is true of every size is one that was not proved.

    Sources:
        Run on torch 2.13: slices, indices, `chunk`, `split`, `tensor_split`, `min` and `max`, over seven ranges; seven
        forms of `F.pad(x, (0, -x.shape[1] % 8)).view(6, -1, 8)` and of `x.shape[1] - x.shape[1] % 8`.
        `torch/utils/_sympy/value_ranges.py` of release 2.13.0.
    """

    code = "AOTI327"
    name = "part-of-a-dim"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for fault in each_place(
            faults(facts, self.exports(facts), "bound", "slice", *NEVER_PROVED, "reshape", unproved=True)
        ):
            guard = fault.guard
            asked = f"{fault.shown(guard.left)} {guard.op} {fault.shown(guard.right)}"
            if guard.kind == "parts":
                asked = f"{fault.shown(fault.size.root)} always gives parts as it does for {fault.size.example}"
            elif guard.kind == "frames":
                asked = f"there is more than one window for every {fault.shown(fault.size.root)}"
            elif guard.kind == "reshape":
                asked = f"this fits for every {fault.shown(fault.size.root)}"
            yield self.found(
                facts,
                fault.event,
                fault.confidence,
                f"torch cannot prove that {asked}: {fault.effect}",
                span=guard.span,
                label=_LABELS.get(guard.kind, "takes a part of a dynamic size"),
                related=fault.related(),
                help="declare the dimension Dim.AUTO" + ("" if guard.kind == "frames" else _MULTIPLES),
                symptom="export-error",
            )
