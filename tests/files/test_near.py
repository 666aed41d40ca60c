"""What may be meant by a name that nothing has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aoti_lint.files.near import beside


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("serv.py", "serve.py"),
        ("Serve.py", "serve.py"),
        ("./serv.py", "./serve.py"),
        ("srcs/deep/model.py", "src/deep/model.py"),
        ("src/dep/model.py", "src/deep/model.py"),
        ("src/deep/models.py", "src/deep/model.py"),
        ("srcs/deep/other.py", ""),
        ("quite_another.txt", ""),
        ("a/b/c", ""),
        ("/", ""),
        ("nul\0.py", ""),
        ("", ""),
    ],
)
def test_beside(path: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src" / "deep").mkdir(parents=True)
    for name in ("serve.py", "src/deep/model.py"):
        (tmp_path / name).touch()
    said = said.replace("/", os.sep)
    assert beside(path) == (f"; did you mean {said!r}?" if said else "")
