"""AOTI332: packages made for examples that do not lie in rows. Each call was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.export import Dim

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.sigmoid(x * 2).sum(dim=1)

program = torch.export.export(Net().eval(), ({example},), dynamic_shapes={spec}, strict={strict})
model = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
model({given})
"""
DIM, AUTO, DYNAMIC = "({0: Dim('b', min=2, max=16)},)", "({0: Dim.AUTO},)", "({0: Dim.DYNAMIC},)"
CHANNELS, COLUMNS = "torch.rand({}, 36, 8, 8)[:, 0:9]", "torch.rand({}, 8)[:, :4]"
ROWS, EVERY = "torch.rand({}, 8)[::2]", "torch.rand({}, 8)[:, ::2]"


@pytest.mark.parametrize(
    ("example", "spec", "strict", "given", "wrong"),
    [
        *((CHANNELS.format(2), spec, False, CHANNELS.format(4), False) for spec in (DIM, AUTO, DYNAMIC)),
        (CHANNELS.format(2), DIM, False, "torch.rand(4, 9, 8, 8)", True),
        (CHANNELS.format(2), AUTO, False, "torch.rand(4, 9, 8, 8)", False),
        (CHANNELS.format(2), DYNAMIC, False, "torch.rand(4, 9, 8, 8)", False),
        (CHANNELS.format(2), "None", False, "torch.rand(2, 9, 8, 8)", True),
        (COLUMNS.format(3), DIM, False, COLUMNS.format(5), False),
        (COLUMNS.format(3), DIM, False, "torch.rand(5, 4)", True),
        ("torch.rand(3, 8)", DIM, False, "torch.rand(5, 16)[:, :8]", True),
        (COLUMNS.format(3), AUTO, False, "torch.rand(5, 4)", False),
        (COLUMNS.format(3), AUTO, False, "torch.rand(3, 4)", False),
        (COLUMNS.format(3), AUTO, False, "torch.rand(4, 3).T", True),
        (COLUMNS.format(3), DIM, True, "torch.rand(5, 4)", False),
        (COLUMNS.format(3), DIM, True, "torch.rand(4, 5).T", True),
        (COLUMNS.format(3), "None", True, "torch.rand(3, 4)", True),
        (ROWS.format(6), DIM, False, "torch.rand(5, 8)", True),
        (ROWS.format(6), DIM, False, ROWS.format(10), False),
        (ROWS.format(6), DYNAMIC, False, "torch.rand(5, 8)", False),
        (EVERY.format(3), DIM, False, "torch.rand(5, 4)", True),
        (EVERY.format(3), AUTO, False, "torch.rand(5, 4)", False),
        ("torch.rand(4, 3).T", AUTO, False, "torch.rand(5, 4)", True),
        ("torch.rand(4, 3).T", AUTO, False, "torch.rand(4, 5).T", False),
        ("torch.rand(4, 3).T", DIM, False, "torch.rand(5, 4)", True),
        ("torch.rand(4, 3).T", DIM, False, "torch.rand(4, 5).T", False),
        *(("torch.rand(3, 4)", AUTO, False, one, True) for one in (COLUMNS.format(5), COLUMNS.format(3))),
    ],
)
def test_calls_of_packages(tmp_path: Path, example: str, spec: str, strict: bool, given: str, wrong: bool) -> None:
    script = SCRIPT.format(example=example, spec=spec, strict=strict, given=given)
    assert [one.code for one in lint_files(tmp_path / "run", {"script.py": script})] == ["AOTI332"] * wrong


def test_an_input_of_another_size_is_not_said_to_lie_otherwise(tmp_path: Path) -> None:
    """What lies so for one size need not for another: AOTI301 tells of the size."""
    script = SCRIPT.format(example="torch.rand(3, 8)", spec=DIM, strict=False, given="torch.rand(5, 8)[:, :4]")
    assert [one.code for one in lint_files(tmp_path / "run", {"script.py": script})] == ["AOTI301"]
