"""Judges the linter on scripts of which we know what they did: `truth/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files, split

HERE = Path(__file__).parent / "truth"
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
LABELS: dict[str, dict[str, Any]] = json.loads((HERE / "labels.json").read_text(encoding="utf-8"))
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script(script: Path, tmp_path: Path) -> None:
    """The expected rules fire where the fault is, and nothing else is said aloud."""
    found = lint_files(tmp_path / "run", {script.name: script.read_text(encoding="utf-8")})
    aloud = [item for item in found if item.severity != "info"]
    missing, extra = split(aloud, EXPECTED.get(script.name, []))
    label = LABELS[script.name]
    story = f"what happened: {label['outcome']}: {str(label.get('message', ''))[:200]}"
    assert not missing, f"missing {missing}; said {[str(item) for item in aloud]}; {story}"
    assert not extra, f"wrongly said {[str(item) for item in extra]}; {story}"


def test_labels_and_table_are_complete() -> None:
    """Every script has a label, every expectation names a script that went wrong, and only lines that exist."""
    names = {path.name for path in SCRIPTS}
    assert set(LABELS) == names
    assert set(EXPECTED) <= names
    for name, wanted in EXPECTED.items():
        lines = len((HERE / "scripts" / name).read_text(encoding="utf-8").splitlines())
        assert LABELS[name]["kind"] in ("bad", "warn", "bad-but-runs")
        assert wanted
        assert all(1 <= want["line"] <= lines for want in wanted)
