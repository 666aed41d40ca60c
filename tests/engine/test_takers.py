"""A named file that is no source: the scripts that it starts, or that read it, are checked with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Result

Lint = Callable[..., Result]
READS = """import json
import torch

with open("{name}") as file:
    config = json.load(file)
program = torch.export.export(torch.nn.Linear(8, 8), (torch.randn(config["batch"], 8),))
program.module()(torch.randn(5, 8))
"""
STARTED = """import os
import torch

device = os.environ.get("DEVICE", "cpu")
torch.export.export(torch.nn.Linear(8, 8).to(device), (torch.randn(2, 8, device="cpu"),))
"""


def found(lint: Lint, *words: str) -> list[tuple[str, str]]:
    document = json.loads(lint(*words, "--output-format", "json").out)
    return [(one["filename"], one["code"]) for one in document["diagnostics"]]


@pytest.fixture
def scripts(project: Path) -> Path:
    (project / "pyproject.toml").write_text("", encoding="utf-8")
    (project / "deep").mkdir()
    for name, text in {
        "export.py": READS.format(name="config.json"),
        "deep/other.py": READS.format(name="other.json"),
        "deep/started.py": STARTED,
        "config.json": '{"batch": 4}',
        "deep/other.json": '{"batch": 4}',
        "lonely.json": "{}",
        "run.sh": "export DEVICE=cuda\npython deep/started.py\n",
        "Dockerfile": "FROM x\nENV DEVICE=cuda\nCMD python /app/deep/started.py\n",
        "plain.sh": "echo hello\n",
    }.items():
        (project / name).write_text(text, encoding="utf-8")
    return project


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (["config.json"], [("export.py", "AOTI301")]),
        (["deep/other.json"], [("deep/other.py", "AOTI301")]),
        (["config.json", "deep/other.json"], [("deep/other.py", "AOTI301"), ("export.py", "AOTI301")]),
        (["run.sh"], [("deep/started.py", "AOTI103")]),
        (["Dockerfile"], [("deep/started.py", "AOTI103")]),
        (["plain.sh"], []),
        (["lonely.json"], []),
        (["config.json", "--exclude", "export.py"], []),
    ],
)
def test_what_takes_something_from_a_file_is_checked_with_it(
    named: list[str], told: list[tuple[str, str]], scripts: Path, lint: Lint
) -> None:
    for _ in range(2):
        assert found(lint, *named) == told


def test_an_edit_of_the_file_counts(scripts: Path, lint: Lint) -> None:
    (scripts / "config.json").write_text('{"batch": 5}', encoding="utf-8")
    assert found(lint, "config.json") == []
    (scripts / "config.json").write_text('{"batch": 6}', encoding="utf-8")
    assert found(lint, "config.json") == [("export.py", "AOTI301")]


def test_a_file_that_no_script_reads_is_skipped(scripts: Path, lint: Lint) -> None:
    said = lint("lonely.json", "config.json").out
    assert said.count("Skipped") == 1
    assert "Skipped lonely.json: " in said
    assert lint("lonely.json").code == 0


def test_a_hook_says_nothing_of_files_that_no_script_reads(scripts: Path, lint: Lint) -> None:
    (scripts / ".pre-commit-config.yaml").write_text("repos: []\n", encoding="utf-8")
    names = (".pre-commit-config.yaml", "lonely.json", "config.json")
    assert lint(*names).out.count("Skipped") == 2
    done = lint("--force-exclude", *names)
    assert "Skipped" not in done.out
    assert "AOTI301" in done.out
