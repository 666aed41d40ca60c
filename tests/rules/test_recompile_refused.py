"""AOTI519: calls of compiled functions under `fail_on_recompile`. Each was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

def double(x):
    return x * 2

run = torch.compile(double, backend="eager"{more})
run(torch.randn(4, 3))
{between}
torch.compiler.set_stance("fail_on_recompile")
{call}
"""
REFUSED = [
    ("", "", "run(torch.randn(5, 3))"), ("", "", "run(torch.randn(4))"), ("", "", "run(torch.randn(4, 3).double())"),
    (", dynamic=True", "", "run(torch.randn(1, 3))"), (", dynamic=True", "", "run(torch.randn(4, 3).double())"),
    (", dynamic=False", "run(torch.randn(5, 3))", "run(torch.randn(6, 3))"),
]  # fmt: skip
RIGHT = [
    ("", "", "run(torch.randn(4, 3))"), (", dynamic=True", "", "run(torch.randn(5, 3))"),
    ("", "run(torch.randn(5, 3))", "run(torch.randn(6, 3))"),
    ("", "torch.compile(double, backend='eager')(torch.randn(5, 3))", "run(torch.randn(6, 3))"),
    (", dynamic=False", "run(torch.randn(5, 3))", "run(torch.randn(5, 3))"),
    ("", "", "torch.compiler.set_stance('default')\nrun(torch.randn(5, 3))"),
    ("", "", "try:\n    run(torch.randn(5, 3))\nexcept RuntimeError:\n    pass"),
]  # fmt: skip


@pytest.mark.parametrize("case", [*REFUSED, *RIGHT])
def test_said(case: tuple[str, str, str], tmp_path: Path) -> None:
    script = SCRIPT.format(more=case[0], between=case[1], call=case[2])
    said = [item.code for item in lint_files(tmp_path / "run", {"run.py": script}, torch="2.13")]
    assert said == ["AOTI519"] * (case in REFUSED)


WITHIN = """import torch

run = torch.compile(torch.nn.Linear(3, 2), backend="eager")
run(torch.randn(4, 3))

@torch.compiler.set_stance("fail_on_recompile")
def served(rows):
    run(torch.randn(rows, 3))

with torch.compiler.set_stance("fail_on_recompile"):
    run(torch.randn(4, 3))
{call}
"""


@pytest.mark.parametrize(("call", "row"), [("served(5)", 8), ("run(torch.randn(5, 3))\nserved(6)", None)])
def test_a_stance_that_is_taken_back(call: str, row: int | None, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"run.py": WITHIN.format(call=call)}, torch="2.13")
    assert [(item.code, item.row) for item in found] == ([] if row is None else [("AOTI519", row)])


def test_a_size_that_was_marked(tmp_path: Path) -> None:
    marked = "x = torch.randn(4, 3)\ntorch._dynamo.mark_dynamic(x, 0)\nrun(x)"
    script = SCRIPT.format(more="", between=marked, call="run(torch.randn(6, 3))")
    assert not lint_files(tmp_path / "run", {"run.py": script}, torch="2.13")
