"""`LightningModule.load_from_checkpoint` gives an instance; what the checkpoint says of it is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """
import torch
import pytorch_lightning as pl

class Net(pl.LightningModule):
    def __init__(self, width=4, rows=None):
        super().__init__()
        self.rows = rows
        self.fc = torch.nn.Linear(8, width)

    def forward(self, x):
        {forward}

net = Net.load_from_checkpoint("net.ckpt"{more}).eval()
torch.export.export(net, (torch.randn(2, 8),))
"""
BRANCHES = "return self.fc(x) if x.sum() > 0 else x"


@pytest.mark.parametrize("more", ["", ", map_location='cpu'", ", width=8, strict=False", ", **{'rows': 2}"])
def test_its_forward_is_followed(more: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"a.py": SCRIPT.format(forward=BRANCHES, more=more)}, torch="2.13")
    assert [(one.code, one.severity) for one in found] == [("AOTI325", "error")]


def test_what_the_call_gives_by_name_is_known(tmp_path: Path) -> None:
    known = SCRIPT.format(forward="return x.view(self.rows, 8)", more=", rows=3")
    assert [one.code for one in lint_files(tmp_path / "known", {"a.py": known}, torch="2.13")] == ["AOTI722"]
    saved = known.replace(", rows=3", "")
    assert lint_files(tmp_path / "saved", {"a.py": saved}, torch="2.13") == []


def test_another_class_may_do_anything(tmp_path: Path) -> None:
    text = SCRIPT.replace("pl.LightningModule", "Base").replace(
        "import pytorch_lightning as pl", "from mine import Base"
    )
    assert lint_files(tmp_path / "run", {"a.py": text.format(forward=BRANCHES, more="")}, torch="2.13") == []


@pytest.mark.parametrize(
    ("where", "told"), [("'cuda'", True), ("torch.device('cuda:0')", True), ("'cpu'", False), ("None", False)]
)
def test_where_it_lies(where: str, told: bool, tmp_path: Path) -> None:
    text = SCRIPT.format(forward="return self.fc(x)", more=f", map_location={where}")
    codes = [one.code for one in lint_files(tmp_path / "run", {"a.py": text}, torch="2.13")]
    assert codes == (["AOTI103"] if told else [])
