"""AOTI332 of `ep.module()`: a contiguous tensor where the example had gaps. Each was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2

x = {example}
program = export(Net(), (x,), dynamic_shapes=({dims},), strict={strict})
program.module()({given})
"""
ROWS, GIVEN = "{0: Dim.AUTO}", "torch.randn(8, 4)"
RAISES = [
    ("torch.randn(16, 4)[::2]", ROWS, GIVEN), ("torch.randn(16, 4)[::2]", "{0: Dim.DYNAMIC}", "torch.randn(5, 4)"),
    ("torch.randn(8, 8)[:, :4]", ROWS, GIVEN), ("torch.randn(8, 8).chunk(2, -1)[0]", ROWS, GIVEN),
    ("torch.randn(8, 2, 4)[:, 1]", ROWS, GIVEN), ("torch.randn(16, 4)[::2]", "{1: Dim.AUTO}", GIVEN),
    ("torch.randn(6, 6, 4)[:, ::2]", ROWS, "torch.randn(6, 3, 4)"),
    ("torch.randn(12, 3, 4)[::2]", "{2: Dim.AUTO}", "torch.randn(6, 3, 4)"),
]  # fmt: skip
WORKS = [
    ("torch.randn(16, 4)[::2]", "None", GIVEN), ("torch.randn(8, 4)", ROWS, GIVEN),
    ("torch.randn(8, 8)[:, ::2]", ROWS, GIVEN), ("torch.randn(4, 8).t()", ROWS, GIVEN),
    ("torch.randn(1, 4).expand(8, 4)", ROWS, GIVEN), ("torch.randn(9, 4)[1:]", ROWS, GIVEN),
    ("torch.randn(16, 4)[::2]", ROWS, "x"), ("torch.randn(16)[::2]", ROWS, "torch.randn(8)"),
    ("torch.randn(12, 4, 3)[::2].transpose(1, 2)", ROWS, "torch.randn(6, 3, 4)"),
]  # fmt: skip


def codes(folder: Path, torch: str = "2.13", **parts: str | bool) -> list[str]:
    """What is said of the script."""
    return [one.code for one in lint_files(folder / "run", {"net.py": SCRIPT.format(**parts)}, torch=torch)]


@pytest.mark.parametrize(("example", "dims", "given"), [*RAISES, *WORKS])
@pytest.mark.parametrize("strict", [True, False])
def test_said(example: str, dims: str, given: str, strict: bool, tmp_path: Path) -> None:
    found = codes(tmp_path, example=example, dims=dims, given=given, strict=strict)
    assert found.count("AOTI332") == ((example, dims, given) in RAISES)


@pytest.mark.parametrize(("strict", "raises"), [(True, True), (False, False)])
def test_a_named_dim_is_checked_with_strict_alone(strict: bool, raises: bool, tmp_path: Path) -> None:
    found = codes(tmp_path, example=RAISES[0][0], dims='{0: Dim("b")}', given=GIVEN, strict=strict)
    assert ("AOTI332" in found) == raises


def test_releases_of_which_that_is_not_known(tmp_path: Path) -> None:
    assert "AOTI332" not in codes(tmp_path, "2.9", example=RAISES[0][0], dims=ROWS, given=GIVEN, strict=False)
