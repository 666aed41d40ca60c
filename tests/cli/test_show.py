"""`--show-files` and `--show-settings`: what a check would do, without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.config import Config, load
from aoti_lint.files.formats import parse_toml
from tests.cli.conftest import Result
from tests.cli.scripts import CLEAN, DEPRECATED, IRRELEVANT
from tests.cli.test_config import EVERYTHING

Lint = Callable[..., Result]


def test_the_files_are_those_of_a_check(project: Path, lint: Lint, analysed: list[str]) -> None:
    texts = {"old.py": DEPRECATED, "b/clean.py": CLEAN, "b/other.py": IRRELEVANT, "skip/x.py": CLEAN, "k.cu": "int a;"}
    for name, text in texts.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / ".gitignore").write_text("skip/\n", encoding="utf-8")
    assert lint("--show-files") == (0, "b/clean.py\nb/other.py\nk.cu\nold.py\n", "")
    assert lint("--show-files", "b", "--exclude", "other.py").out == "b/clean.py\n"
    assert lint("--show-files", "skip/x.py").out == "skip/x.py\n"
    parts = [lint("--show-files", "--shard", f"{number}/2").out.splitlines() for number in (1, 2)]
    assert all(parts)
    assert sorted(parts[0] + parts[1]) == ["b/clean.py", "b/other.py", "k.cu", "old.py"]
    assert analysed == []


def test_what_would_not_be_checked_is_said_beside_the_files(project: Path, lint: Lint) -> None:
    (project / "a\x1b[31m.py").write_text(CLEAN, encoding="utf-8")
    (project / "notes.txt").touch()
    result = lint("--show-files", "a\x1b[31m.py", "notes.txt", "gone.py")
    assert result.code == 2
    assert result.out == "a\\x1b[31m.py\n"
    assert result.err.startswith("aoti-lint: skipped notes.txt: not a Python file")
    assert result.err.endswith("aoti-lint: error: gone.py: no such file or folder\n")


def test_every_setting_of_the_configuration_is_shown_as_it_could_stand_there(project: Path, lint: Lint) -> None:
    text = EVERYTHING.replace("per-file-ignores", 'archives = ["a/*.pt2"]\nbaseline = "b.jsonl"\nper-file-ignores')
    text += """
environment = { DEVICE = "cu\\"da" }
target = { device = "cuda", platform = "linux", machine = "x86_64", cpu-isa = "AVX2", compute-capability = "9.0" }
[package]
device = "cuda"
architectures = ["sm_90"]
dynamic = { "*" = ["x.0", "y.1"], "a" = [] }
debug-code = false
max-size = "2KB"
custom-ops = ["shop::*"]
"""
    (project / "aoti-lint.toml").write_text(text, encoding="utf-8")
    before = load("aoti-lint.toml")
    result = lint("--show-settings")
    assert (result.code, result.err) == (0, "")
    assert 'severity = { "AOTI201" = "error", "AOTI302" = "off" }  # aoti-lint.toml\n' in result.out
    keys = {slot.replace("_", "-") for slot in Config.__slots__}
    (project / "aoti-lint.toml").write_text(result.out, encoding="utf-8")
    after = load("aoti-lint.toml")
    assert keys - {"path"} == parse_toml(result.out).keys()
    for slot in set(Config.__slots__) - {"target", "package"}:
        assert getattr(after, slot) == getattr(before, slot), slot
    assert after.target.state() == before.target.state()
    assert after.package.state() == before.package.state()


def test_each_value_is_shown_with_where_it_comes_from(
    project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "inner").mkdir()
    (project / "inner/requirements.txt").write_text("torch==2.9.*\n", encoding="utf-8")
    (project / "inner/a.py").write_text(CLEAN, encoding="utf-8")
    config = 'ignore = ["AOTI3"]\nenvironment = { A = "1", B = "1" }\n'
    (project / "aoti-lint.toml").write_text(config, encoding="utf-8")
    words = ("--ignore", "AOTI2", "--env", "B=2", "--pedantic", "--baseline", "old.jsonl")
    (project / "old.jsonl").touch()
    lines = lint("--show-settings", *words).out.splitlines()
    assert lines[0] == f"# project root: {project}"
    assert '# in inner: torch-version = "2.9"  # inner/requirements.txt' in lines
    for line in (
        'ignore = ["AOTI3"]  # aoti-lint.toml', 'ignore = ["AOTI2"]  # command line', "# select: not set",
        'torch-version = "2.13"  # pyproject.toml', 'environment.A = "1"  # aoti-lint.toml',
        'environment.B = "2"  # command line', "# --pedantic = true  # command line",
        '# --error-on = "likely"  # default',
        'baseline = "old.jsonl"  # command line', "# --cache-dir: not set", "# package.max-size: not set",
    ):  # fmt: skip
        assert line in lines
    # What selects anew leaves aside what the configuration says of rules.
    selected = lint("--show-settings", "--select", "AOTI201,AOTI202").out.splitlines()
    assert selected[1].startswith("# 2 of ")
    assert "# ignore: not set" in selected
    assert (
        'torch-version = "2.8..2.11"  # --torch-version'
        in lint("--show-settings", "--torch-version", ">=2.8,<2.12").out
    )
    assert (project / "old.jsonl").read_bytes() == b""


def test_what_names_no_rule_is_said(project: Path, lint: Lint) -> None:
    result = lint("--show-settings", "--select", "AOTI9999")
    assert (result.code, result.out) == (2, "")
    assert "there is no rule 'AOTI9999'" in result.err
