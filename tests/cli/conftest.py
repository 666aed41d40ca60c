"""Running the command in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from aoti_lint.cli.main import main


class Result(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, the present folder; no environment variable says anything about colour or torch."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch==2.13.*"]\n', encoding="utf-8")
    return tmp_path


@pytest.fixture
def lint(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run `aoti-lint` with some arguments in the project."""

    def run(*words: str) -> Result:
        try:
            code = main(words)
        except SystemExit as stop:  # how argparse ends
            code = int(stop.code or 0)
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by one whenever a run is really done."""
    from aoti_lint.engine.run import Run

    runs: list[str] = []
    document = Run.document

    def counted(self: Run) -> dict[str, object]:
        runs.append(self.found.root)
        return document(self)

    monkeypatch.setattr(Run, "document", counted)
    return runs
