"""The sign of life during long runs."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from aoti_lint.cli.shared import progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and when something is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


def test_it_shows_and_wipes_itself_out(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0)
    with progress.Progress():
        assert terminal.written.wait(60)
    assert terminal.getvalue().startswith("\r\x1b[Kaoti-lint: analysing, ")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_short_runs_and_pipes_see_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress.Progress():
            pass
        assert stream.getvalue() == ""
