"""AOTI346: what an export does not see through. Each case was exported with torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.plain = torch.nn.Parameter(torch.ones(3)), torch.ones(3)
        self.register_buffer("seen", torch.zeros(3))
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        {body}

{run}
"""
EXPORT = "torch.export.export(Net(), (torch.ones(3),))"
RAISES = [
    "return x.data * 2",
    "return x.data",
    "return self.plain.data + x",
    "return (x * 2).data.view(3)",
    "return torch.cat([x, x.data])",
    "self.seen.data.mul_(2)\n        return x * self.seen",
    "return x.data.T + 1",
    "return torch.nn.functional.linear(x, self.fc.weight.data)",
    "return x.data[0] + x",
    "return x.data.detach() + 1",
    "with torch.no_grad():\n            return x.data + 1",
    "y = x.data * 2\n        return x + 1",
    "try:\n            y = x.data * 2\n        except Exception:\n            y = x\n        return y",
]
FINE = [
    "return x * x.data.shape[0]",
    "return x.detach() * 2",
    "x = x.clone()\n        x.data = x * 2\n        return x",
    "d = x.data\n        return d * 2 if d.shape[0] == 4 else x + 1",
    "return x * 2 if x.data.numel() == 3 else x",
    "return x.real + 1",
    "d = x.data\n        return x * 2",
]


@pytest.mark.parametrize("body", [*RAISES, *FINE])
def test_said(body: str, tmp_path: Path) -> None:
    runs = {
        EXPORT: body in RAISES,
        EXPORT.replace("))", "), strict=True)", 1): False,
        "torch.compile(Net(), fullgraph=True, backend='eager')(torch.ones(3))": False,
    }
    for number, (run, raises) in enumerate(runs.items()):
        files = {"net.py": SCRIPT.format(body=body, run=run)}
        found = [item.code for item in lint_files(tmp_path / f"run{number}", files, torch="2.13")]
        assert found == ["AOTI346"] * raises
