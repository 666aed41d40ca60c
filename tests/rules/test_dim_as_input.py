"""AOTI317: a `Dim` among the example inputs, whose name took that of the tensor. Run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, batch):
        return {body}

batch = {example}
{dim}
export(Net(), {args}, dynamic_shapes={{"batch": {shapes}}})
"""
DICT = {
    "body": 'batch["a"] * 2',
    "example": '{"a": torch.ones(2, 8)}',
    "shapes": '{"a": {0: rows}}',
    "args": "(batch,)",
}
TENSOR = {"body": "batch * 2", "example": "torch.ones(2, 8)", "shapes": "{0: rows}", "args": "(batch,)"}
OTHER, SAME = 'rows = Dim("rows")', 'batch = rows = Dim("batch")'


@pytest.mark.parametrize("parts", [DICT, TENSOR, {**TENSOR, "args": "(), {'batch': batch}"}])
def test_a_dim_in_the_place_of_a_tensor(parts: dict[str, str], tmp_path: Path) -> None:
    def codes(dim: str) -> list[str]:
        text = SCRIPT.format(dim=dim, **parts)
        return [one.code for one in lint_files(tmp_path / dim[:4], {"net.py": text}, torch="2.13")]

    assert codes(OTHER) == []
    found = codes(SAME)
    assert "AOTI317" in found
    assert "AOTI712" not in found
