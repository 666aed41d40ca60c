"""Functions that take too long to be followed: their own lines are looked at, if not all that they call."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.roots import run
from aoti_lint.values.meter import WORK
from tests.judging import lint_files

SCRIPT = """import torch

def slow(x):
    for _ in range(x):
        x = x + len(str(x)) * 2
    torch.export.export(torch.nn.ReLU(), (x,))

def main(model, path, x):
    slow(x)
{many}
    torch.export.export_for_training(model, (x,))
"""


@pytest.mark.parametrize("work", [WORK, 300])
def test_a_line_behind_what_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: int) -> None:
    monkeypatch.setattr(run, "WORK", work)
    text = SCRIPT.format(many="    x = x + len(str(x))\n" * 100)
    found = lint_files(tmp_path / "run", {"a.py": text}, torch="2.13")
    assert [(one.code, one.severity) for one in found if one.code == "AOTI202"] == [("AOTI202", "error")]


def test_where_the_lines_alone_take_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "WORK", 300)
    monkeypatch.setattr(run, "TRIAL_WORK", 300)
    text = SCRIPT.format(many="    x = x + len(str(x))\n" * 100)
    assert [one for one in lint_files(tmp_path / "run", {"a.py": text}, torch="2.13") if one.code == "AOTI202"] == []
