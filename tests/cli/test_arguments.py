"""Arguments that nobody would choose, and commands that run one after another in a process."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.cli.shared.commands import COMMANDS
from aoti_lint.errors import nearest


def test_what_another_command_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pyproject.toml")
    (tmp_path / "script.py").write_text("import torch\n", encoding="utf-8")
    assert main(["inspect", "pyproject.toml"]) == 2
    (tmp_path / "pyproject.toml").unlink()
    capsys.readouterr()
    assert main(["check", "script.py", "--no-cache"]) == 0
    assert "passed over" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["script.py", "--why-silent=--"], ["script.py", "--config=--"], ["contract", "x.pt2", "--model=--"]]
)
def test_the_end_of_the_options_is_no_value(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "'--' is no value" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fix"], "there is no option --fix: reports show what to write, and nothing is written into your files"),
        (["--selct", "AOTI1"], "there is no option --selct; did you mean '--select'?"),
        (["--selct=AOTI1"], "there is no option --selct; did you mean '--select'?"),
        (["merge", "a.json", "--exit-zeros"], "there is no option --exit-zeros; did you mean '--exit-zero'?"),
        (["--json"], "there is no option --json; write --output-format json\n"),
        (["--sarif=x"], "there is no option --sarif; write --output-format sarif\n"),
        (["explain", "--md", "AOTI101"], "there is no option --md; write --output-format md\n"),
        (["inspect", "x.pt2", "--al"], "there is no option --al; these begin so: --all"),
        # Written whole: more options may begin so one day.
        (["--output-f", "json"], "there is no option --output-f; these begin so: --output-format, --output-file"),
        (["--qqq\x1b[31m"], "there is no option --qqq\\x1b[31m\n"),
        (["schema", "check", "check"], "this is one argument too many: check"),
        (["--jobs", "0"], "0: not a number of processes; write --jobs 4"),
        (["-j", "many"], "many: not a number of processes; write --jobs 4"),
    ],
)
def test_an_option_that_does_not_exist(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_behind_two_hyphens_all_are_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-q.py", "--help", "a.py"):
        (tmp_path / name).write_text("import torch\ntorch._export.aot_load('x', 'cpu')\n")
    assert main(["a.py", "--output-format", "concise", "--", "-q.py", "--help"]) == 1
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == ["-q.py", "a.py"]


@pytest.mark.parametrize(
    ("word", "said"),
    [("chek", "did you mean 'check'?"), ("expain", "did you mean 'explain'?"), ("Triage", "did you mean 'triage'?")],
)
def test_a_command_that_does_not_exist(
    word: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([word, "script.py"]) == 2
    said = f"aoti-lint: error: there is no command and no file or folder {word!r}; {said}\n"
    assert capsys.readouterr() == ("", said)
    (tmp_path / word).mkdir()
    assert main([word]) == 0
    # Only the first word may be a command, and what is like none is a path.
    capsys.readouterr()
    assert main([".", "chekc"]) == main(["check", "chekc"]) == main(["nothing"]) == 2
    assert "no such file or folder" in capsys.readouterr().out
    (tmp_path / "serve.py").touch()
    assert main(["serve"]) == 2
    assert capsys.readouterr().err.endswith("'serve'; did you mean 'serve.py'?\n")


def test_the_help_names_all_commands_and_has_examples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(re.search(rf"^  {name} .{{20,}}$", out, re.MULTILINE) for name in COMMANDS)
    examples = out.partition("examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) >= 3
    assert all(line.startswith("  aoti-lint ") for line in examples)
    assert "exit codes:" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one_and_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: aoti-lint {'' if command == 'check' else command}")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_as_wide_as_the_terminal(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 70] == []


def test_the_beginning_of_a_name_is_enough_to_be_understood() -> None:
    names = ["last-batch-smaller", "static-shape-called-with-another", "static-shape", "deprecated-aot-api"]
    assert nearest("static-sh", names) == "static-shape"
    assert nearest("deprec", names) == "deprecated-aot-api"
    assert nearest("dep", names) is None
    assert nearest("last-batch-smalelr", names) == "last-batch-smaller"
