"""AOTI723: numbers that are drawn at random in the forward of an export."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import g
import random
import time
import numpy as np
import torch
from datetime import datetime

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        {forward}
        return x

x = torch.randn(2, 4)
{export}
"""
EXPORT = "torch.export.export(Net().eval(), (x,))"

KEPT = {
    "a factor": "x = x * random.uniform(0, 1)",
    "a branch": "if np.random.rand() < 0.5:\n            x = self.fc(x)",
    "an argument": "k = random.randint(1, 3)\n        x = torch.roll(x, k, 0)",
    "a slice": "x = x[: random.randrange(1, 2)]",
    "what is overwritten": "x = x.clone()\n        x[:, random.randint(0, 3)] = 0",
    "what a slice overwrites": "k = random.randint(0, 2)\n        x = x.clone()\n        x[..., k : k + 2] = 0",
    "added in place": "x = x.clone()\n        x += random.random()",
    "worked out": "x = x * (2 - random.random())",
    "the time": "x = x * (time.time() % 60)",
    "a seed": "torch.manual_seed(0)\n        x = x + torch.randn(4)",
    "an order": "rows = [0, 1]\n        random.shuffle(rows)\n        x = x[rows]",
    "a choice of rows": "x = x[:, random.sample(range(4), 2)]",
    "a generator of Python's": "x = x * random.Random(3).random()",
    "a generator of NumPy's": "x = x * float(np.random.default_rng(0).normal())",
    "an array": "x = x + torch.from_numpy(np.random.randn(4))",
    "an attribute of the time": "x = x * datetime.now().hour",
    "a branch on the time": "if time.monotonic() > 5:\n            x = self.fc(x)",
}
FINE = {
    "while training": "if self.training and random.random() < 0.5:\n            x = self.fc(x)",
    "drawn for nothing": "p = np.random.uniform()\n        if self.training and p < 0.5:\n            x = self.fc(x)",
    "printed": "print(random.random())",
    "measured": "start = time.perf_counter()\n        x = self.fc(x)\n        self.took = time.perf_counter() - start",
    "an order while training": "if self.training:\n            random.shuffle(self.rows)",
    "a time that is printed": "print(datetime.now().isoformat())",
    "of torch": "x = x * torch.rand(1)",
    "a seed and nothing drawn": "torch.manual_seed(0)\n        x = self.fc(x)",
    "a seed that may be set": "if g.fixed():\n            torch.manual_seed(0)\n        x = x + torch.randn(4)",
    "a clock that decides what is logged": "if time.monotonic() > 5:\n            self.late = True",
}


def told(folder: Path, forward: str, export: str = EXPORT) -> list[int]:
    found = lint_files(folder / "run", {"net.py": SCRIPT.format(forward=forward, export=export)}, torch="2.13")
    return [one.row for one in found if one.code == "AOTI723"]


@pytest.mark.parametrize("name", KEPT)
def test_a_number_that_the_program_keeps(tmp_path: Path, name: str) -> None:
    """It is told where the number is drawn."""
    before = re.split(r"manual|rand|time\(|monotonic|now\(", KEPT[name])[0]
    assert told(tmp_path, KEPT[name]) == [14 + before.count("\n")]


@pytest.mark.parametrize("name", FINE)
def test_what_makes_no_difference(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, FINE[name]) == []


def test_what_draws_anew_or_raises(tmp_path: Path) -> None:
    compiled = "torch.compile(Net(), fullgraph=True)(x)"
    assert told(tmp_path / "compiled", KEPT["a factor"], compiled) == []
    assert told(tmp_path / "strict", KEPT["a factor"], EXPORT.replace("(x,)", "(x,), strict=True")) == []


def test_an_export_to_onnx(tmp_path: Path) -> None:
    assert told(tmp_path, KEPT["a factor"], "torch.onnx.export(Net().eval(), (x,), 'net.onnx', dynamo=True)") == [14]
