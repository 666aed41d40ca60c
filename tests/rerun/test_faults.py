"""Planted faults, each found by one command."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FAULTS = Path(__file__).parent / "faults"
LABELS: dict[str, dict[str, Any]] = json.loads((FAULTS / "labels.json").read_text(encoding="utf-8"))


def test_every_script_has_a_label() -> None:
    built = {label["build"] for label in LABELS.values() if "build" in label}
    assert {path.name for path in FAULTS.glob("*.py")} == LABELS.keys() | built


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.parametrize("script", sorted(LABELS))
def test_the_culprit_is_named(script: str, tmp_path: Path) -> None:
    label = LABELS[script]
    for name in filter(None, (script, label.get("build"))):
        shutil.copy(FAULTS / name, tmp_path)
    package = tmp_path / f"{script.removesuffix('.py')}.pt2"
    package.write_bytes(b"a package that is there already")
    if "build" in label:
        subprocess.run([sys.executable, label["build"]], cwd=tmp_path, check=True, capture_output=True, timeout=300)
        package = tmp_path / f"{label['build'].removesuffix('_build.py')}.pt2"
    before = hashlib.sha256(package.read_bytes()).hexdigest()
    there = {*os.listdir(tmp_path), "work"}
    report = ran(script, label, tmp_path)
    named = [(one["kind"], one["name"]) for one in report["culprits"]]
    assert report["found"], report
    assert named[0] == (label["kind"], label["name"]), report["culprits"]
    assert label["line"] in ("", *lines(report["culprits"][0])), report["culprits"][0]
    assert hashlib.sha256(package.read_bytes()).hexdigest() == before
    assert set(os.listdir(tmp_path)) == there
    assert os.path.isfile(os.path.join(report["folder"], "report.html"))


def ran(script: str, label: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The report of the one command."""
    command = [
        sys.executable, "-m", "aoti_lint", "rerun", script, "--symptom", label["symptom"], "--execute", "--yes",
        "--timeout", str(label.get("timeout", 300)), "--keep", "work", "--output-format", "json",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def lines(culprit: dict[str, Any]) -> list[str]:
    """The lines of the user's code that a report shows for a culprit."""
    places = [culprit["place"], *((culprit["launch"] or {}).get("places", ()))]
    return [place["text"] for place in places if place is not None]
