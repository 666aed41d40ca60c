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
        if self.rows:
            x = x.view(self.rows, 8)
        if x.sum() > {than}:
            return self.fc(x)
        return x

net = Net.load_from_checkpoint("net.ckpt"{more}).eval()
torch.export.export(net, (torch.randn(2, 8),))
"""


@pytest.mark.parametrize("more", ["", ", map_location='cpu'", ", width=8, strict=False", ", **{'rows': 2}"])
def test_its_forward_is_followed(more: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"a.py": SCRIPT.format(than="0", more=more)}, torch="2.13")
    assert ("AOTI325", "error") in {(one.code, one.severity) for one in found}


def test_what_the_call_gives_by_name_is_known(tmp_path: Path) -> None:
    text = SCRIPT.replace("x.sum()", "x.shape[0]").format(than="9", more=", rows=3")
    assert [one.code for one in lint_files(tmp_path / "known", {"a.py": text}, torch="2.13")] == ["AOTI722"]
    text = SCRIPT.replace("x.sum()", "x.shape[0]").format(than="9", more="")
    assert lint_files(tmp_path / "saved", {"a.py": text}, torch="2.13") == []


def test_another_class_may_do_anything(tmp_path: Path) -> None:
    text = SCRIPT.replace("pl.LightningModule", "Base").replace(
        "import pytorch_lightning as pl", "from mine import Base"
    )
    assert lint_files(tmp_path / "run", {"a.py": text.format(than="0", more="")}, torch="2.13") == []
