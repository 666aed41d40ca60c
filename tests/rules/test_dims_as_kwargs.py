"""AOTI328 of a `dynamic_shapes` that is given as the third argument, which is kwargs. Run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """\
import torch

rows = torch.export.Dim("rows")


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


torch.export.export(Net(), (torch.randn(4, 8),), {})
"""


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ('{"x": {0: rows}}', {"AOTI328"}),
        ('dynamic_shapes={"x": {0: rows}}', set()),
        ('None, dynamic_shapes={"x": {0: rows}}', set()),
        ('kwargs={"x": {0: rows}}', {"AOTI328"}),
    ],
)
def test_one_mistake_is_told_once(given: str, codes: set[str], tmp_path: Path) -> None:
    made = lint_files(tmp_path / "run", {"a.py": SCRIPT.replace("{}", given)}, torch="2.13")
    found = [one for one in made if str(one.severity) == "error"]
    assert {one.code for one in found} == codes
    assert all("dynamic_shapes" in one.message for one in found)
