"""A command says nothing of the one that ran before it in the same process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aoti_lint.cli.main import main


def test_what_another_command_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pyproject.toml")
    (tmp_path / "script.py").write_text("import torch\n", encoding="utf-8")
    assert main(["inspect", "pyproject.toml"]) == 2
    (tmp_path / "pyproject.toml").unlink()
    capsys.readouterr()
    assert main(["check", "script.py", "--no-cache"]) == 0
    assert "passed over" not in capsys.readouterr().out
