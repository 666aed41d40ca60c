"""AOTI707: numbers that a forward keeps in Python, judged and run: a program gives what its model gives, or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch import nn

CALLS = 0
ITEMS = []

class Own:
    def __init__(self):
        self.n = 0

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.items = []
        self.table = None
        self.own = Own()
        self.register_buffer("seen", torch.zeros(8, 4))
    def forward(self, x):
        {body}

model = Net()
program = torch.export.export(Net(), (torch.ones(4),), strict={strict})
"""
KEPT = [
    "self.calls += 1; return x * self.calls",
    "self.calls = self.calls + 1; return x * self.calls",
    "self.own.n += 1; return x * self.own.n",
    "self.items.append(1); return x * len(self.items)",
    "self.items = self.items + [1]; return x * len(self.items)",
    "global CALLS; CALLS += 1; return x * CALLS",
    "ITEMS.append(1); return x * len(ITEMS)",
    "self.seen[self.calls] = x; self.calls += 1; return self.seen * 1",
]
RIGHT = [
    "self.calls += 1; return x * 2",
    "self.calls += 1; y = x * self.calls; return x",
    "self.items.append(x); return x * 2",
    "self.calls = x.shape[0]; return x * self.calls",
    "self.calls = 0\n        for n in range(3): self.calls += n\n        return x * self.calls",
    "if self.table is None: self.table = torch.arange(4.0) * 2\n        return x + self.table",
    "if self.table is None: self.table = x.shape[0] * 2\n        return x + self.table",
]
CASES = [(body, wrong) for bodies, wrong in ((KEPT, True), (RIGHT, False)) for body in bodies]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("body", "wrong"), CASES)
def test_what_is_said(body: str, wrong: bool, strict: bool, tmp_path: Path) -> None:
    text = SCRIPT.format(body=body, strict=strict)
    found = [item.code for item in lint_files(tmp_path / "run", {"net.py": text}, torch="2.13")]
    assert found.count("AOTI707") == int(wrong)


@pytest.mark.parametrize(("body", "wrong"), CASES)
def test_torch_agrees(body: str, wrong: bool) -> None:
    torch = pytest.importorskip("torch")
    spaces: list[dict[str, Any]] = [{"__name__": "net"}, {"__name__": "net"}]
    for space in spaces:
        exec(SCRIPT.format(body=body, strict=False), space)
        space["CALLS"], space["ITEMS"][:] = 0, []
    program, model = spaces[0]["program"].module(), spaces[1]["model"]
    with torch.no_grad():
        same = all(torch.equal(program(torch.ones(4)), model(torch.ones(4))) for _ in range(3))
    assert same is not wrong
