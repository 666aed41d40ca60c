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


POSITIONS = """import argparse
import json
import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--rows", type=int, default=16)
p.add_argument("--width", type=int, default=8)
p.add_argument("--most", type=int, default=64)
p.add_argument("--needed", type=int, required=True)
with open("net.json") as file:
    settings = json.load(file)
p.add_argument("--kept", type=int, default=settings["net"]["rows"])
args = p.parse_args()


class Net(nn.Module):
    def __init__(self, rows, width):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(rows, width))
        self.width = width

    def forward(self, x):
        return {forward}


def export(rows, width=8):
    batch = torch.export.Dim("batch", max={most})
    torch.export.export(Net(rows, width), (torch.randn(6, width),), dynamic_shapes={{"x": {{0: batch}}}})


export({model})
"""
ADDED = "x + self.rows[: x.shape[0]]"
GUARDS = {
    "fewer rows than the Dim allows": (ADDED, "args.rows, args.width", "64", ["AOTI315"]),
    "as many rows as the Dim allows": (ADDED, "4 * args.rows, args.width", "64", []),
    "the range is an option": (ADDED, "16, 8", "args.most", ["AOTI315"]),
    "the range is an option that has no default": (ADDED, "args.rows", "args.needed", []),
    "rows out of a file of settings": (ADDED, "settings['net']['rows']", "64", ["AOTI315"]),
    "enough rows in a file of settings": (ADDED, "settings['net']['rows']", "40", []),
    "an option whose default is in a file of settings": (ADDED, "args.kept", "64", ["AOTI315"]),
    "a width that the forward has for a number": ("x.view(-1, 2 * self.width)", "16, args.width", "64", ["AOTI323"]),
    "a width that it keeps": ("x.view(-1, self.width)", "16, args.width", "64", []),
    "a width that has no default": ("x.view(-1, 2 * self.width)", "16, args.needed", "64", []),
}  # fmt: skip


@pytest.mark.parametrize("name", GUARDS)
def test_what_dynamic_sizes_are_asked(name: str, tmp_path: Path) -> None:
    """Run on torch 2.13 with the defaults: those that something is said of raise, the others do not."""
    forward, model, most, said = GUARDS[name]
    script = POSITIONS.format(forward=forward, model=model, most=most)
    files = {"net.py": script, "net.json": '{"net": {"rows": 40}}'}
    found = lint_files(tmp_path / "judged", files, torch="2.13")
    assert [(item.code, str(item.severity)) for item in found] == [(code, "warning") for code in said]
