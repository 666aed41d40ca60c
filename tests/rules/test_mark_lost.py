"""AOTI520: which tensors have the mark of `mark_dynamic`. Each was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import copy
import torch

run = torch.compile(lambda x: x * 2{more})
x = torch.randn(4, 8)
torch._dynamo.mark_dynamic(x, 0)
y = {made}
{before}
run(y)
"""
LOST = ["x.clone()", "x.detach()", "x[:]", "x[:2]", "x.view(-1, 8)", "x.t().t()", "x.mul(2)"]
KEPT = ["x", "x.to(torch.float32)", "x.to('cpu')", "x.contiguous()", "x.float()", "x.requires_grad_()",
        "copy.deepcopy(x)", "copy.copy(x)"]  # fmt: skip


def said(folder: Path, made: str, before: str = "", more: str = "") -> list[str]:
    script = SCRIPT.format(made=made, before=before, more=more)
    return [item.code for item in lint_files(folder, {"run.py": script}, torch="2.13")]


@pytest.mark.parametrize("made", [*LOST, *KEPT])
def test_said(made: str, tmp_path: Path) -> None:
    assert said(tmp_path / "run", made) == ["AOTI520"] * (made in LOST)


def test_what_makes_it_dynamic_all_the_same(tmp_path: Path) -> None:
    assert not said(tmp_path / "marked", "x.clone()", "torch._dynamo.mark_dynamic(y, 0)")
    assert not said(tmp_path / "called", "x.clone()", "run(x)")
    assert not said(tmp_path / "asked", "x.clone()", more=", dynamic=True")
