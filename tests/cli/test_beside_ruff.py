"""Our suppression comments in a project that ruff checks too."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

RUFF = shutil.which("ruff")
SCRIPT = """\
import torch

torch.export.load("a.pt2")  # noqa: AOTI101
torch.export.load("b.pt2")  # aoti-lint: ignore[AOTI101]
"""


def ruff(folder: Path) -> str:
    """What ruff says about suppressions."""
    command = [str(RUFF), "check", "--no-cache", "--preview", "--select", "RUF1", "--output-format", "concise", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


@pytest.mark.skipif(RUFF is None, reason="ruff is not installed")
def test_what_the_documentation_of_unused_suppression_says_of_ruff(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    told = tmp_path / "pyproject.toml"
    told.write_text("[tool.ruff.lint]\n", encoding="utf-8")
    complaint = ruff(tmp_path)
    assert "script.py:3:" in complaint
    assert "script.py:4:" not in complaint
    told.write_text('[tool.ruff.lint]\nexternal = ["AOTI"]\n', encoding="utf-8")
    assert ruff(tmp_path) == "All checks passed!\n"
