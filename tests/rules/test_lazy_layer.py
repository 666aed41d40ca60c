"""AOTI727: lazy layers before and after their first call, as torch has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.LazyLinear(3)

    def forward(self, x):
        return self.fc(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


x = torch.randn(2, 4)
"""
RAISES = [
    "torch.export.export(Net(), (x,))",
    "torch.export.export(nn.Sequential(Net(), nn.ReLU()), (x,))",
    "torch.export.draft_export(Net(), (x,))",
    "net = Net().eval()\nn = sum(1 for p in net.parameters())\ntorch.export.export(net, (x,))",
    "torch.export.export(nn.Sequential(nn.LazyConv2d(3, 3), nn.Flatten()), (torch.randn(1, 2, 8, 8),))",
    "torch.export.export(nn.Sequential(nn.LazyBatchNorm1d()).eval(), (x,))",
]
WORKS = [
    "net = Net()\nnet(x)\ntorch.export.export(net, (x,))",
    "net = nn.Sequential(Net())\nwith torch.no_grad():\n    net(x)\ntorch.export.export(net, (x,))",
    "net = Net()\nnet(x)\ntorch.export.export(copy.deepcopy(net), (x,))",
    "net = Net()\nnet.load_state_dict(Plain().state_dict())\ntorch.export.export(net, (x,))",
    "torch.export.export(Net(), (x,), strict=True)",
    "torch.export.export(nn.Sequential(nn.LazyBatchNorm1d(affine=False, track_running_stats=False)), (x,))",
    "net = Net()\nfor _ in range(2):\n    out = net(x)\ntorch.export.export(net, (x,))",
    "net = Net()\n\ndef warm(model):\n    model(x)\n\nwarm(net)\ntorch.export.export(net, (x,))",
    "try:\n    torch.export.export(Net(), (x,))\nexcept ValueError:\n    pass",
]
UNKNOWN = ["import elsewhere\nnet = Net()\nelsewhere.prepare(net)\ntorch.export.export(net, (x,))"]


@pytest.mark.parametrize("body", [*RAISES, *WORKS, *UNKNOWN])
def test_said(body: str, tmp_path: Path) -> None:
    made = lint_files(tmp_path / "run", {"net.py": f"{HEAD}\n{body}\n"}, torch="2.13")
    found = [(one.code, one.severity) for one in made if one.code == "AOTI727"]
    assert found == [("AOTI727", "error")] * (body in RAISES)


@pytest.mark.parametrize("body", [*RAISES, *WORKS])
def test_torch_agrees(body: str) -> None:
    pytest.importorskip("torch")
    script = compile(f"{HEAD}\n{body}\n", "net.py", "exec")
    if body in RAISES:
        with pytest.raises(ValueError, match="uninitialized parameter"):
            exec(script, {})
    else:
        exec(script, {})
