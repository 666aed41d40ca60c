"""AOTI336."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Cond, Confidence, Path, Related, Severity, decide
from aoti_lint.rule.inputs import span_of
from aoti_lint.rule.shapes import FULL_BATCH
from aoti_lint.rule.values import Choice, Const, Program, Unknown, Value

from ._calls import Called, CallRule, Fault, sizes
from ._exports import lost_on_re_export


class LastBatchSmaller(CallRule):
    """A `DataLoader` feeds a program of a fixed batch size, and its last batch may be smaller.

    What happens:
        For the last batch, what AOTI301 says of every other size: a package computes with the size of the example and
        says nothing, `ep.module()` raises. Nothing happens where the dataset has a whole number of batches.

    Why:
        A loader hands out the rest of the dataset too, unless it is told `drop_last=True`. Advice only: how many items
        the dataset has is not known here. Where it is, AOTI301 speaks.

    Bad:
        import glob

        import torch

        class Rows(torch.utils.data.Dataset):
            def __init__(self, files):
                self.files = files

            def __len__(self):
                return len(self.files)

            def __getitem__(self, index):
                return torch.zeros(10)

        program = torch.export.export(torch.nn.ReLU(), (torch.randn(8, 10),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        for rows in torch.utils.data.DataLoader(Rows(glob.glob("*.txt")), batch_size=8):
            run(rows)  # <- AOTI336

    Good:
        import glob

        import torch

        class Rows(torch.utils.data.Dataset):
            def __init__(self, files):
                self.files = files

            def __len__(self):
                return len(self.files)

            def __getitem__(self, index):
                return torch.zeros(10)

        program = torch.export.export(torch.nn.ReLU(), (torch.randn(8, 10),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        for rows in torch.utils.data.DataLoader(Rows(glob.glob("*.txt")), batch_size=8, drop_last=True):
            run(rows)

    How to debug:
        Print `len(dataset) % batch_size`.

    Sources:
        Run on torch 2.13. Release 2.13.0, `torch/utils/data/dataloader.py` (`drop_last=False`).
        https://docs.pytorch.org/docs/stable/data.html
    """

    code = "AOTI336"
    name = "last-batch-smaller"
    unflattened = True
    doubt = "the data may come out in full batches"

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        if lost_on_re_export(program)[0] is not None:
            return
        for part, one, index, size in sizes(called, program):
            cond = _perhaps_full(size, path)
            example = one.tensor.shape[index] if one.tensor.shape is not None else None
            if index or cond is None or not isinstance(example, Const) or one.freedom(program, index) != "static":
                continue
            if not isinstance(size, Choice) or size.then != example:
                continue  # AOTI301 speaks of the full batches
            yield Fault(
                part.name,
                span_of(called.event, part.place),
                f"{part.name} comes from a DataLoader that keeps its last batch, which may have fewer than the "
                f"{example.value} rows that the export was made for: {called.effect} then",
                "perhaps a smaller batch here",
                "give the DataLoader drop_last=True, or declare dimension 0 dynamic",
                called.outcome,
                Confidence.POSSIBLE,
                (_loader(cond), Related(program.span, f"exported with {example.value} here")),
                Severity.INFO,
            )


def _perhaps_full(size: Value, path: Path) -> Cond | None:
    """The question whether a batch is full that a size hangs on, where nothing on the way has answered it."""
    if not isinstance(size, Choice) or size.cond.key[0] != FULL_BATCH or not isinstance(size.other, Unknown):
        return None
    return size.cond if decide(size.cond, path) is None else None


def _loader(cond: Cond) -> Related:
    assert cond.span is not None
    return Related(cond.span, "without drop_last=True here")
