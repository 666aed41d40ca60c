"""`aoti-lint triage` as it is called."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.cli.main import main

LOG = "RuntimeError: Could not find schema for mylib::op. Custom operators created via torch.library.custom_op …\n"
FAKE = Path(__file__).parent.parent / "truth" / "scripts" / "403_fake_int_shape.py"


def triage(*words: str, given: bytes | None = None, folder: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "aoti_lint", "triage", *words]
    root = Path(__file__).parent.parent.parent
    return subprocess.run(
        command, input=given, capture_output=True, cwd=folder, env={"PYTHONPATH": str(root)}, check=False
    )


def test_a_log_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "run.log"
    log.write_text(LOG, encoding="utf-8")
    assert main(["triage", str(log)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("cause[op-not-registered]: ")
    assert f"{log}:1: RuntimeError" in said


def test_a_pipe_passes_everything_on(tmp_path: Path) -> None:
    given = b"\xff\x00 not text\nstep 1\r\n" + LOG.encode() + b"the last line has no end"
    done = triage("-", given=given)
    assert done.stdout == given
    assert done.returncode == 0
    assert b"cause[op-not-registered]" in done.stderr


def test_json(tmp_path: Path) -> None:
    done = triage("-", "--output-format", "json", given=LOG.encode())
    document = json.loads(done.stdout)
    assert document["schema"] == "aoti-lint/triage/1"
    assert [one["cause"] for one in document["causes"]] == ["op-not-registered"]
    assert document["causes"][0]["line"] == 1


def test_an_unknown_log_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text("all is well\nZeroDivisionError: division by zero\n", encoding="utf-8")
    assert main(["triage", str(log)]) == 1
    said = capsys.readouterr().out
    assert "Nothing in this log is known here." in said
    assert "ZeroDivisionError: division by zero" in said


def test_an_unknown_log_names_the_users_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text(
        "Traceback (most recent call last):\n"
        '  File "/home/me/shop.py", line 3, in pay\n'
        "    export(model, x)\n"
        '  File "/opt/env/lib/python3.11/site-packages/torch/export/_trace.py", line 897, in _fixup\n'
        "    assert len(node.meta) == 0\n"
        "AssertionError\n",
        encoding="utf-8",
    )
    assert main(["triage", str(log)]) == 1
    said = capsys.readouterr().out
    assert "AssertionError" in said
    assert "/home/me/shop.py:3 in pay" in said
    assert main(["triage", "--output-format", "json", str(log)]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["last_error"] == "AssertionError"
    assert document["last_error_code"] == {"path": "/home/me/shop.py", "line": 3, "function": "pay"}


@pytest.mark.parametrize(
    ("lines", "next_"),
    [
        (
            ["Traceback (most recent call last):", '  File "/me/train.py", line 4, in <module>', "    import net.model",
             '  File "/me/net/model.py", line 2, in <module>', "    run()",
             '  File "/me/net/model.py", line 9, in run'],
            "python /me/train.py",
        ),
        (
            ["Traceback (most recent call last):", '  File "/me/net.py", line 9, in run',
             "The above exception was the direct cause of the following exception:", "",
             "Traceback (most recent call last):", '  File "/me/main.py", line 3, in <module>'],
            "python /me/main.py",
        ),
        (["tests/test_net.py:9: in test_run"], "what failed, with "),
        (["Traceback (most recent call last):", '  File "/me/net.py", line 9, in run'], "what failed, with "),
    ],
)  # fmt: skip
def test_the_next_run_is_that_of_the_script_and_not_of_a_module(
    lines: list[str], next_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "run.log"
    log.write_text("\n".join([*lines, "RuntimeError: CUDA error: an illegal memory access was encountered", ""]))
    assert main(["triage", str(log), "--no-check"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  next: ")]
    assert len(told) == 1
    assert next_ in told[0]
    assert "net/model.py" not in told[0]


def test_why_no_rule_finds_a_cause_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text("RuntimeError: CUDA error: device-side assert triggered\n", encoding="utf-8")
    assert main(["triage", str(log)]) == 0
    sentence = "none finds this before the run. The values in the tensors decide, which only a run has."
    assert f"  rule: {sentence}" in capsys.readouterr().out
    assert main(["explain", "device-assert"]) == 0
    assert sentence in capsys.readouterr().out
    assert main(["triage", str(log), "--output-format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["causes"]
    assert told["unseen"] == "The values in the tensors decide, which only a run has."
    assert told["rules"] == []


def test_an_empty_log_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_bytes(b"")
    assert main(["triage", str(log)]) == 1
    assert "is empty" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["missing.log", "."])
def test_what_cannot_be_read_is_an_error(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["triage", name]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_the_sources_tell_four_causes_of_one_message_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message blames the Dim; the fake of the operator made a number of the size."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build.py").write_bytes(FAKE.read_bytes())
    log = tmp_path / "run.log"
    log.write_text(
        'Traceback (most recent call last):\n  File "build.py", line 21, in <module>\n'
        "  - You marked b as dynamic but your code specialized it to be a constant (4). If you're using mark_dynamic\n",
        encoding="utf-8",
    )
    assert main(["triage", "run.log"]) == 0
    assert "here: build.py:11 AOTI402" in capsys.readouterr().out
    assert main(["triage", "run.log", "--no-check"]) == 0
    assert "here:" not in capsys.readouterr().out
