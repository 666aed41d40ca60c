"""Arguments that nobody would choose, and commands that run one after another in a process."""

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


@pytest.mark.parametrize(
    "words", [["script.py", "--why-silent=--"], ["script.py", "--config=--"], ["contract", "x.pt2", "--model=--"]]
)
def test_the_end_of_the_options_is_no_value(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "'--' is no value" in capsys.readouterr().err
