"""A child that is asked, dies, hangs and is replaced; torch is a stand-in there, which imports at once."""

from __future__ import annotations

import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.isolated.process import Died, Process

CHILD = """
import os, signal, sys, time
from aoti_lint.isolated.serving import serve

class Worker:
    def __init__(self, request, stage):
        stage("opening")
        if request["name"] == "nothing":
            raise ValueError("there is nothing")
        print("said while it opens")

    def describe(self):
        return {"worker": os.getpid()}

    def run(self, request):
        print("said while it runs")
        if request["what"] == "crash":
            print("the last words", file=sys.stderr)
            os.kill(os.getpid(), signal.SIGSEGV)
        if request["what"] == "hang":
            time.sleep(60)
        if request["what"] == "raise":
            raise KeyError("it")
        return {"worker": os.getpid(), "what": request["what"]}

def main():
    return serve(Worker, lambda: None)
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "child_of_a_test.py").write_text(CHILD, encoding="utf-8")
    (tmp_path / "torch.py").write_text("class version:\n    cuda = None\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def process(library: Path) -> Iterator[Process]:
    with Process("child_of_a_test", {"name": "something"}, timeout=1) as made:
        yield made


def test_it_answers_whatever_it_prints(process: Process) -> None:
    opened = process.open()
    assert process.run(what="one") == {**opened, "what": "one"}
    assert process.run(what="two") == {**opened, "what": "two"}
    assert process.ran == 2


@pytest.mark.parametrize(
    ("what", "how", "text"),
    [("crash", "crash", "SIGSEGV: the last words"), ("hang", "hang", "no answer within 1 seconds")],
)
def test_one_that_dies_is_replaced(process: Process, what: str, how: str, text: str) -> None:
    opened = process.open()
    assert process.run(what=what) == Died(how=how, stage="", text=text)  # type: ignore[arg-type]
    again: Any = process.run(what="one")
    assert again["what"] == "one"
    assert again["worker"] != opened["worker"]


def test_an_interpreter_without_torch_is_told_how_to_name_another(library: Path) -> None:
    (library / "torch.py").unlink()
    venv.create(library / "bare")
    python = str(library / "bare" / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    with Process("child_of_a_test", {"name": "something"}, python) as bare, pytest.raises(CannotRun) as told:
        bare.open()
    assert str(told.value) == f"{python} has no torch: name one that has with --python"


def test_what_it_raises_is_told_and_it_goes_on(process: Process) -> None:
    opened = process.open()
    with pytest.raises(CannotRun, match="a case could not be run: KeyError: 'it'"):
        process.run(what="raise")
    assert process.run(what="one") == {**opened, "what": "one"}


def test_what_cannot_be_opened_says_why(library: Path) -> None:
    with Process("child_of_a_test", {"name": "nothing"}) as made, pytest.raises(CannotRun, match="there is nothing"):
        made.open()
