"""`--profile`: where the time went."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.profile import OFF
from tests.cli.conftest import Result
from tests.cli.scripts import CLEAN, IRRELEVANT
from tests.structure.imports import arrows

Lint = Callable[..., Result]
SCRIPT = """\
import torch
from model import Small

program = torch.export.export(Small(), (torch.ones(2),))

def exported(size):
    return torch.export.export(Small(), (torch.ones(size),))
"""
MODEL = """\
import torch

class Small(torch.nn.Module):
    def forward(self, x):
        return x + 1
"""
KEYS = {"exporter", "$schema", "name", "activeProfileIndex", "shared", "profiles"}


@pytest.fixture
def script(project: Path) -> Path:
    (project / "model.py").write_text(MODEL, encoding="utf-8")
    path = project / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def checked(text: str) -> set[str]:
    """The names of the frames of a document, which is what the schema of speedscope's evented format asks for."""
    document: dict[str, Any] = json.loads(text)
    assert document.keys() == KEYS
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = document["shared"]["frames"]
    (profile,) = document["profiles"]
    assert (profile["type"], profile["unit"], profile["startValue"]) == ("evented", "seconds", 0)
    at, inside, seen = 0.0, [], set()
    for event in profile["events"]:
        assert event["at"] >= at
        at = event["at"]
        if event["type"] == "O":
            inside.append(event["frame"])
            seen.add(event["frame"])
        else:
            assert event["type"] == "C"
            assert inside.pop() == event["frame"]
    assert not inside
    assert at == profile["endValue"]
    assert seen == set(range(len(frames)))
    return {frame["name"] for frame in frames}


def test_the_script_its_roots_and_the_rules_are_named(script: Path, lint: Lint) -> None:
    done = lint("script.py", "--profile", "profile.json")
    assert done.code == 0, done.err
    text = (script.parent / "profile.json").read_text(encoding="utf-8")
    names = checked(text)
    assert {"check", "load the rules", "read script.py", "run script.py", "run script.py::exported", "read model.py",
            "run model.py", "rule AOTI201 deprecated-aot-api"} <= names  # fmt: skip
    files = {frame.get("file") for frame in json.loads(text)["shared"]["frames"]}
    assert files == {None, "script.py", "model.py"}
    first, *rows = done.err.splitlines()
    assert first.split() == ["own", "time", "whole", "times"]
    assert any(row.endswith("  load the rules") for row in rows)
    assert rows[-1].endswith(" others")


def test_the_report_is_the_same(script: Path, lint: Lint) -> None:
    assert lint("script.py", "--profile", "profile.json").out == lint("script.py").out


def test_paths_are_as_the_user_knows_them(script: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    (script.parent / "sub").mkdir()
    monkeypatch.chdir(script.parent / "sub")
    lint("../script.py", "--profile", "profile.json")
    assert "run ../script.py::exported" in checked(Path("profile.json").read_text(encoding="utf-8"))


def test_no_run_is_taken_from_memory(script: Path, lint: Lint, analysed: list[str]) -> None:
    lint("script.py")
    lint("script.py")
    assert len(analysed) == 1
    lint("script.py", "--profile", "profile.json")
    assert len(analysed) == 2
    assert "run script.py" in checked((script.parent / "profile.json").read_text(encoding="utf-8"))


def test_there_may_be_nothing_to_do(project: Path, lint: Lint) -> None:
    (project / "other.py").write_text(IRRELEVANT, encoding="utf-8")
    assert lint("other.py", "--profile", "profile.json").code == 0
    assert checked((project / "profile.json").read_text(encoding="utf-8")) == {"check"}


def test_only_a_profile_is_written_over(script: Path, lint: Lint) -> None:
    other = script.parent / "other.json"
    other.write_text("{}", encoding="utf-8")
    done = lint("script.py", "--profile", "other.json")
    assert done.code == 2
    assert "was not written by this command" in done.err
    assert other.read_text(encoding="utf-8") == "{}"
    assert lint("script.py", "--profile", "script.py", "--force").code == 2
    assert script.read_text(encoding="utf-8") == SCRIPT
    for _ in range(2):
        assert lint("script.py", "--profile", "profile.json").code == 0


def test_work_that_fails_has_ended(project: Path, lint: Lint) -> None:
    (project / "broken.py").write_text("import torch\ntorch.export.export(\n", encoding="utf-8")
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    assert lint("broken.py", "clean.py", "--profile", "profile.json").code == 2
    assert {"read broken.py", "run clean.py"} <= checked((project / "profile.json").read_text(encoding="utf-8"))


def test_nothing_is_noted_unless_it_is_asked_for() -> None:
    with OFF.during("step", "a") as first, OFF.during("step", "b"):
        assert first is None
    assert not vars(OFF)


def test_rules_cannot_ask() -> None:
    users = {one.start.partition(".")[0] for one in arrows() if one.end == "profile"}
    assert users == {"cli", "engine", "findings", "ir", "linking", "machine", "report", "source"}
