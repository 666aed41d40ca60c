"""AOTI714: sizes in an exported forward that do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch import nn
from torch.nn import functional as F
{before}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.conv = nn.Conv1d(8, 4, 3)
        self.grouped = nn.Conv1d(8, 4, 3, groups=2)
        self.norm = nn.LayerNorm(8)
        self.batch = nn.BatchNorm1d(8)
        self.lstm = nn.LSTM(8, 4)
        self.weight = nn.Parameter(torch.randn(8, 4))
        self.many = nn.ModuleList([nn.Linear(8, 16), nn.Linear(16, 8)])

    def forward(self, x):
        {forward}


model = Net().eval()
{model}
{export}
"""
EXPORT = "torch.export.export(model, (torch.randn({}),))"


def found(folder: Path, forward: str, sizes: str, model: str = "", export: str = EXPORT, before: str = "") -> list[str]:
    text = SCRIPT.format(forward=forward, model=model, before=before, export=export.format(sizes))
    items = lint_files(folder / str(abs(hash(text))), {"net.py": text}, torch="2.13")
    return [item.severity for item in items if item.code == "AOTI714"]


@pytest.mark.parametrize(("forward", "fits", "other"), [
    ("return self.fc(x)", "3, 8", "3, 7"),
    ("return self.fc(x)", "2, 3, 8", "2, 3, 1"),
    ("return self.fc(x.flatten(1))", "2, 2, 4", "2, 3, 4"),
    ("return self.conv(x)", "2, 8, 5", "2, 1, 5"),
    ("return self.grouped(x)", "2, 8, 5", "2, 4, 5"),
    ("return self.conv(x)", "2, 8, 3", "2, 8, 2"),
    ("return F.max_pool1d(x, 3)", "2, 8, 3", "2, 8, 2"),
    ("return F.avg_pool1d(x, 4, padding=1)", "2, 8, 2", "2, 8, 1"),
    ("return self.norm(x)", "3, 8", "8, 3"),
    ("return self.batch(x)", "3, 8", "3, 7"),
    ("return self.lstm(x)[0]", "3, 2, 8", "3, 2, 7"),
    ("return x @ self.weight", "3, 8", "3, 4"),
    ("return torch.matmul(x, self.weight)", "2, 3, 8", "2, 8, 3"),
    ("return F.linear(x, self.weight)", "3, 4", "3, 8"),
    ("for layer in self.many:\n            x = layer(x)\n        return self.fc(x)", "3, 8", "3, 16"),
])  # fmt: skip
def test_what_fits_and_what_does_not(tmp_path: Path, forward: str, fits: str, other: str) -> None:
    assert found(tmp_path, forward, fits) == []
    assert found(tmp_path, forward, other) == ["error"]


FORWARD, OTHER = "return self.fc(x)", "3, 7"


@pytest.mark.parametrize("changes", [
    {"model": "model.fc.weight = nn.Parameter(torch.randn(4, 7))"},
    {"model": "model.fc = nn.Linear(7, 4)"},
    {"model": "helpers.fit(model)", "before": "import helpers"},
    {"export": f"try:\n    {EXPORT}\nexcept RuntimeError:\n    pass"},
    {"export": "torch.export.draft_export(model, (torch.randn({}),))"},
    {"export": "torch.export.export(model, (helpers.example({}),))", "before": "import helpers"},
])  # fmt: skip
def test_what_is_changed_or_handled_or_not_known(tmp_path: Path, changes: dict[str, str]) -> None:
    assert found(tmp_path, FORWARD, OTHER) == ["error"]
    assert found(tmp_path, FORWARD, OTHER, **changes) == []


@pytest.mark.parametrize(("forward", "fits", "other"), [
    ("return x + torch.ones(8)", "3, 8", "3, 7"),
    ("return x * x.sum(0)[None, :4]", "3, 4", "3, 8"),
    ("return torch.where(x > 0, x, torch.zeros(3, 1))", "3, 8", "2, 8"),
    ("return x > torch.ones(2, 1, 8)", "3, 8", "3, 7"),
    ("x += torch.ones(8)\n        return x", "3, 8", "3, 7"),
    ("return sum([x, torch.ones(8)])", "3, 8", "3, 7"),
])  # fmt: skip
def test_what_broadcasts_and_what_does_not(tmp_path: Path, forward: str, fits: str, other: str) -> None:
    assert found(tmp_path, forward, fits) == []
    assert found(tmp_path, forward, "1, 1") == []
    assert found(tmp_path, forward, other) == ["error"]


OP = """import torch
from torch import nn

@torch.library.custom_op("sizes::first", mutates_args=())
def first(x: torch.Tensor, count: int = 4) -> torch.Tensor:
    return x[:, :count].clone()

@first.register_fake
def _(x, count=4):
    return x.new_empty((x.shape[0], count))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc({call})

torch.export.export(Net().eval(), (torch.randn(3, 8),))
"""


@pytest.mark.parametrize(
    ("call", "given"),
    [
        ("first(x)", None),
        ("first(x, 5)", 5),
        ("first(x, count=6)", 6),
        ("torch.ops.sizes.first(x)", None),
        ("torch.ops.sizes.first.default(x, 7)", 7),
        ("first(x) if x.ndim == 2 else first(x, 5)", None),
    ],
)
def test_outputs_of_a_custom_op(tmp_path: Path, call: str, given: int | None) -> None:
    made = lint_files(tmp_path / "run", {"script.py": OP.replace("{call}", call)})
    told = [one.message for one in made if one.code == "AOTI714"]
    assert told == (
        [] if given is None else [f"this Linear is made for a size of 4 and is given {given}: the export raises"]
    )
