"""AOTI347: flex_attention on the CPU. Each case was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.nn.attention import flex_attention as flex
from torch.nn.attention.flex_attention import flex_attention

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(16, 16)

    def forward(self, x):
        {body}

x = torch.randn(1, 2, 128, 16)
{run}
"""
EXPORT = "torch.export.export(Net(), (x,))"
BODIES = {
    "y = self.project(x)\n        return flex_attention(y, y, y)": True,
    "return flex.flex_attention(x, x, value=self.project(x) * 2)": True,
    "y = self.project(x).detach()\n        return flex_attention(y, y, y)": False,
    "return flex_attention(x, x, x * 2)": False,
    "with torch.no_grad():\n            y = self.project(x)\n        return flex_attention(y, y, y)": False,
}
RUNS = {
    EXPORT: True,
    EXPORT.replace("Net()", "Net().eval()"): True,
    "Net()(x)": True,
    "torch.compile(Net())(x)": True,
    f"with torch.no_grad():\n    {EXPORT}": False,
    EXPORT.replace("Net()", "Net().requires_grad_(False)"): False,
    f"try:\n    {EXPORT}\nexcept NotImplementedError:\n    pass": False,
    "x = x.cuda()\n" + EXPORT.replace("Net()", "Net().cuda()"): False,
}


@pytest.mark.parametrize(("body", "wrong"), BODIES.items(), ids=map(str, range(len(BODIES))))
def test_said(body: str, wrong: bool, tmp_path: Path) -> None:
    for number, (run, raises) in enumerate(RUNS.items()):
        files = {"net.py": SCRIPT.format(body=body, run=run)}
        found = [item.code for item in lint_files(tmp_path / f"run{number}", files, torch="2.13")]
        assert found == ["AOTI347"] * (wrong and raises), run
