"""Results of a CUDA graph that were used too late, as torch says it (2.11 on an H200)."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.rerun.judge.cuda_graphs import by_overwriting
from aoti_lint.triage.diagnose import diagnose

LOG = (Path(__file__).parents[1] / "data" / "logs" / "overwritten.txt").read_text(encoding="utf-8").splitlines()


def test_the_line_that_uses_it_and_the_line_that_made_it() -> None:
    (culprit,) = by_overwriting(diagnose(LOG), LOG)
    assert culprit.place is not None
    assert (culprit.name, culprit.place.path, culprit.place.line) == ("main", "/home/v/generate.py", 26)
    assert culprit.what.endswith("had overwritten it: it is made at /home/v/generate.py:13 in forward")
    assert ".clone()" in culprit.fix
    assert culprit.rules == ("AOTI514",)


def test_a_gradient_needs_memory_of_its_own() -> None:
    said = "RuntimeError: Error: accessing gradient tensor output of CUDAGraphs that has been overwritten by a " \
           "subsequent run. Stack trace: [Could not find stack trace]. This can happen with " \
           "torch.compile(mode='reduce-overhead') and gradient accumulation when a .grad tensor is allocated during " \
           "CUDAGraph capture."  # fmt: skip
    lines = ["Traceback (most recent call last):", '  File "/home/v/train.py", line 40, in step', said]
    (culprit,) = by_overwriting(diagnose(lines), lines)
    assert culprit.what == "a gradient that lies in a CUDA graph was used after the next run had overwritten it"
    assert ".grad" in culprit.fix
    assert culprit.name == "step"


def test_other_errors_are_not_of_this_kind() -> None:
    assert by_overwriting(diagnose(LOG[:-2]), LOG[:-2]) == []
