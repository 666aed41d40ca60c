"""What code of the user finds in the child process that runs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from aoti_lint.isolated import serving

LIBRARY = os.path.dirname(os.__file__)


def test_code_of_the_user_sees_what_it_would_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["-c", "init", "module", f"lib{os.pathsep}/opt/more"])
    monkeypatch.setattr(sys, "path", [LIBRARY, "/opt/more", "/site"])
    monkeypatch.setattr(sys, "flags", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        serving._see_what_the_user_sees()
        assert sys.path == ["", str(tmp_path / "lib"), "/opt/more", LIBRARY, "/site"]
        assert os.environ["PYTHONPATH"] == f"lib{os.pathsep}/opt/more"
