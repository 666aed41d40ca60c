"""The command line of `aoti-lint verify`, and its report in words, without torch."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.errors import CannotRun
from aoti_lint.isolated.process import environment
from aoti_lint.program.verify.cases import Call, Case, Kind
from aoti_lint.program.verify.judge import Finding
from aoti_lint.program.verify.process import Child
from aoti_lint.program.verify.protocol import Open
from aoti_lint.program.verify.report import Failure, Ran, Report
from aoti_lint.report.commands.verification import print_report
from aoti_lint.report.output import Output


def test_help_says_what_is_executed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "which unpickles" in text
    assert "Do it only with files you trust" in text
    assert "(module, args[, kwargs])" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.pt2", "--program", "ep.pt2"], "none.pt2: No such file"),
        (["empty.pt2"], "the file is empty"),
    ],
)
def test_what_cannot_run_is_said(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.pt2").touch()
    assert main(["verify", *words]) == 2
    assert message in capsys.readouterr().err


def test_kinds_and_scripts_are_checked() -> None:
    from aoti_lint.cli.verify import _kinds, _script

    assert _kinds("size,example", "size") == ("example",)
    with pytest.raises(CannotRun, match="did you mean 'repeat'"):
        _kinds("repeats", "")
    with pytest.raises(CannotRun, match="write SCRIPT:FUNCTION"):
        _script("export.py")
    with pytest.raises(CannotRun, match="there is no such file"):
        _script("nowhere.py:make")


def test_an_interpreter_that_is_none_or_dies_is_said(tmp_path: Path) -> None:
    with Child(Open(), str(tmp_path / "python")) as child, pytest.raises(CannotRun, match="No such file"):
        child.open()
    stub = tmp_path / "stub"
    stub.write_text("#!/bin/sh\necho 'no torch here' >&2\nexit 3\n", encoding="utf-8")
    stub.chmod(0o755)
    if sys.platform != "win32":
        with Child(Open(), str(stub)) as child, pytest.raises(CannotRun, match=r"exit code 3: no torch here"):
            child.open()


def test_what_the_user_preloads_stays() -> None:
    assert environment({"LD_PRELOAD": "own.so"})["LD_PRELOAD"].startswith("own.so")


def ran(kind: Kind, finding: Finding, name: str = "a case", silent: bool = False) -> Ran:
    return Ran(case=Case(name=name, kind=kind, calls=(Call(),)), finding=finding, silent=silent)


def test_the_report_in_words() -> None:
    wrong = Finding(verdict="values differ", text="out[0] is 2 instead of 3", subject="package", reference="program")
    report = Report(
        file="m.pt2", program="ep.pt2", compared=("program", "package"), torch="2.13.0", device="cpu", seed=0,
        cases=(
            ran("example", Finding(verdict="agrees", tolerated=1e-6)),
            ran("repeat", wrong, "three calls"),
            ran("outside", Finding(verdict="accepts", subject="package", reference="program"), "x: too long", True),
        ),
        failures=(Failure(verdict="values differ", text=wrong.text, subject="package", why="a buffer \x1b[31mof one",
                          case=Case(name="it", kind="repeat", calls=(Call(), Call())), smallest="2 calls",
                          cases=("three calls",), code="import torch\n"),),
        notes=("something",),
    )  # fmt: skip
    out = io.StringIO()
    print_report(Output(None, out), report)
    text = out.getvalue()
    assert "m.pt2: the package against the program" in text
    assert "the exported sizes: a case" in text
    assert "agree, within 1e-06" in text
    assert "1. the package: values differ\n   out[0] is 2 instead of 3\n" in text
    assert "smallest: 2 calls" in text
    assert "      import torch" in text
    assert "x: too long: the package returns without a word; the program refuses it" in text
    assert "note: something" in text
    assert "1 failure in 2 cases inside the contract; beyond it 1 of 1 go wrong without a word" in text
    assert "\x1b" not in text
