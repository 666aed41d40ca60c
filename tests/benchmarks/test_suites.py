"""The suite of tests that is measured is one: every file has tests whose exports are followed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from benchmarks.suites import write


def test_every_file_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(3, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["check", ".", "--no-cache", "--no-config", "--output-format", "json", "--coverage"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["summary"]["analysed"] == 4
    assert document["diagnostics"] == document["errors"] == document["summary"]["notes"] == []
    kinds = {kind["kind"]: kind for kind in document["coverage"]["kinds"]}
    for kind, sites in (("export", 6), ("compile", 3), ("load", 3), ("call", 6)):
        assert (kinds[kind]["sites"], kinds[kind]["followed"]) == (sites, sites)
