"""Logs after public issues: what triage says of each.

`public/NAME.log` is written anew after the issue that `public/labels.json` names: the messages are those that the
programs print, paths, names and numbers are not those of the issue. A label has the true cause in a sentence, and the
names of causes that are right (none: the log is not about export or compile). `cannot` says why a log does not tell.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.triage.cause import Level
from aoti_lint.triage.causes import CAUSES
from aoti_lint.triage.diagnose import Diagnosis, diagnose

HERE = Path(__file__).parent / "public"
LABELS: dict[str, dict[str, Any]] = json.loads((HERE / "labels.json").read_text(encoding="utf-8"))


def read(name: str) -> Diagnosis:
    return diagnose((HERE / f"{name}.log").read_text(encoding="utf-8").splitlines())


def test_every_log_has_a_label() -> None:
    assert sorted(LABELS) == sorted(path.stem for path in HERE.glob("*.log"))
    known = {cause.name for cause in CAUSES}
    assert [name for label in LABELS.values() for name in label["expect"] if name not in known] == []


@pytest.mark.parametrize("name", [name for name, label in LABELS.items() if label["expect"]])
def test_the_first_cause_is_right(name: str) -> None:
    found = read(name)
    told = [one.cause.name for one in (*found.causes, *found.notes)]
    assert told
    assert told[0] in LABELS[name]["expect"]


@pytest.mark.parametrize("name", [name for name, label in LABELS.items() if not label["expect"]])
def test_what_is_not_told_is_not_guessed(name: str) -> None:
    """Nothing is named; what only stands around other messages says of itself that it does not know."""
    found = read(name)
    allowed = Level.WALL if "cannot" in LABELS[name] else None
    assert [one.cause.name for one in (*found.causes, *found.notes) if one.cause.level is not allowed] == []
