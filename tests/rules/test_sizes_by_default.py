"""AOTI714 where sizes come from options: what does not fit at their defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import argparse
import os
import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--size", type=int, default={size})
p.add_argument("--width", type=int, default=8)
p.add_argument("--batch", type=int, default=4)
p.add_argument("--out", type=int, required=True)
args = p.parse_args()
edge = int(os.environ.get("EDGE", "16"))


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        {layers}

    def forward(self, x):
        return {forward}


torch.export.export(Net({model}), ({example},))
"""
HEAD = "self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1); self.fc = nn.Linear(8 * 16 * 16, 4)"
IMAGE = "torch.rand(args.batch, 3, args.size, args.size)"
CONVOLVED = "self.fc(self.conv(x).flatten(1))"
CASES = {
    "an image of another size": ("64", HEAD, CONVOLVED, "", IMAGE, ["warning"]),
    "an image of the right size": ("32", HEAD, CONVOLVED, "", IMAGE, []),
    "a width that the model does not have": (
        "32", "self.fc = nn.Linear(width, 4)", "self.fc(x)", "", "torch.rand(2, args.width)", ["warning"],
    ),
    "a width that the model is given, too": (
        "32", "self.fc = nn.Linear(width, 4)", "self.fc(x)", "args.width", "torch.rand(2, args.width)", [],
    ),
    "two options that differ": (
        "32", "self.fc = nn.Linear(width, 4)", "self.fc(x)", "args.width", "torch.rand(2, args.size)", ["warning"],
    ),
    "two that are alike": (
        "8", "self.fc = nn.Linear(width, 4)", "self.fc(x)", "args.width", "torch.rand(2, args.size)", [],
    ),
    "reckoned from one option": (
        "32", "self.fc = nn.Linear(2 * width, 4)", "self.fc(torch.cat([x, x], 1))", "args.width",
        "torch.rand(2, args.width)", [],
    ),
    "one that has no default": (
        "32", "self.fc = nn.Linear(16, 4)", "self.fc(x)", "", "torch.rand(args.batch, args.out)", [],
    ),
    "none that fits all": (
        "None", "self.fc = nn.Linear(16, 4)", "self.fc(x)", "", "torch.rand(args.batch, args.size or 16)", [],
    ),
    "a variable that fits": ("32", "self.fc = nn.Linear(16, 4)", "self.fc(x)", "", "torch.rand(2, edge)", []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_said(name: str, tmp_path: Path) -> None:
    size, layers, forward, model, example, said = CASES[name]
    script = SCRIPT.format(size=size, layers=layers, forward=forward, model=model, example=example)
    found = lint_files(tmp_path / "judged", {"net.py": script}, torch="2.13")
    assert [str(item.severity) for item in found if item.code == "AOTI714"] == said
    assert [item.code for item in found if item.severity == "error"] == []
