"""AOTI218: weights that the compiler writes into the code of a package, which `load_constants` does not know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {init}

    def forward(self, x):
        return self.one(x)


model = Net().eval()
program = torch.export.export(model, (torch.ones(2, {channels}, 16),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program{options}))
weights = {weights}
run.load_constants(weights, check_full_update=True)
"""
SMALL = [
    "self.one = nn.Linear(16, 4)",
    "self.one = nn.Linear(16, 8, bias=True)",
    "self.one = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))",
    "self.one = nn.Conv1d(16, 4, 1)",
    "self.one = nn.BatchNorm1d(16)",
    "self.one = nn.BatchNorm1d(4)",
    "self.one = nn.Linear(16, 16); self.scale = nn.Parameter(torch.ones(()))",
    "self.one = nn.Linear(16, 16); self.scale = nn.Parameter(torch.ones(1))",
    "self.one = nn.Linear(16, 16); self.scale = nn.Parameter(torch.ones(8))",
]
LARGE = [
    "self.one = nn.Linear(16, 16)",
    "self.one = nn.Linear(16, 9)",
    "self.one = nn.Linear(16, 4, bias=False)",
    "self.one = nn.Linear(16, 4, False)",
    "self.one = nn.Conv1d(16, 4, 1, bias=False)",
    "self.one = nn.Conv1d(4, 16, 1)",
    "self.one = nn.LayerNorm(16)",
    "self.one = nn.Linear(16, 16); self.scale = nn.Parameter(torch.ones(9))",
    "self.one = nn.Linear(16, 16); self.scale = nn.Parameter(torch.ones(1, 4))",
    "self.one = nn.Linear(16, 4); self.one.bias = nn.Parameter(torch.ones(16))",
    "self.one = nn.Linear(16, 4); self.one.bias = None",
]


def codes(folder: Path, init: str, weights: str = "model.state_dict()", options: str = "") -> list[str]:
    channels = 4 if re.search(r"1d\(4\b", init) else 16
    text = SCRIPT.format(init=init, weights=weights, options=options, channels=channels)
    return [item.code for item in lint_files(folder, {"net.py": text}, torch="2.13")]


@pytest.mark.parametrize("init", SMALL)
def test_small_ones(init: str, tmp_path: Path) -> None:
    assert codes(tmp_path / "run", init) == ["AOTI218"]
    assert codes(tmp_path / "other", init, "Net().eval().state_dict()") == ["AOTI218"]


@pytest.mark.parametrize("init", LARGE)
def test_large_ones(init: str, tmp_path: Path) -> None:
    assert codes(tmp_path / "run", init) == []


TRAPS = {
    "those it has": ("{k: v for k, v in model.state_dict().items() if k in run.get_constant_fqns()}", ""),
    "kept as constants": (
        "model.state_dict()", ', inductor_configs={"always_keep_tensor_constants": True}',
    ),
    "taken out": ("model.state_dict()\nweights.pop('one.bias')", ""),
    "by name": ("{'one.weight': torch.ones(4, 16)}", ""),
}  # fmt: skip


@pytest.mark.parametrize(("weights", "options"), TRAPS.values(), ids=TRAPS)
def test_traps(weights: str, options: str, tmp_path: Path) -> None:
    assert codes(tmp_path / "run", SMALL[0], weights, options) == []
