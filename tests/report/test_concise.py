"""One line a finding, and the problem matcher that reads it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import aoti_lint.report
from aoti_lint.report.check.concise import concise_lines
from tests.report.documents import document, finding, place

MATCHER = Path(aoti_lint.report.__file__).with_name("vscode-problem-matcher.json")


def matched(line: str) -> dict[str, str]:
    """What Visual Studio Code would take from a line."""
    (matcher,) = json.loads(MATCHER.read_text(encoding="utf-8"))["problemMatcher"]
    (pattern,) = matcher["pattern"]
    match = re.match(pattern.pop("regexp"), line)
    assert match is not None, line
    return {key: match[group] for key, group in pattern.items()}


def test_a_line() -> None:
    assert list(concise_lines(document(finding()))) == [
        "serve.py:3:9: error AOTI101 load-on-other-device: the package was compiled for cuda and is loaded on cpu"
    ]


def test_a_message_stays_on_its_line() -> None:
    (line,) = concise_lines(document(finding(message="one\ntwo")))
    assert line.endswith(": one two")


@pytest.mark.parametrize("filename", ["serve.py", "a b/serve.py", "C:\\models\\serve.py", "x:1:2.py"])
@pytest.mark.parametrize("severity", ["error", "warning", "info"])
def test_the_matcher_reads_every_line(filename: str, severity: str) -> None:
    (line,) = concise_lines(document(finding(severity=severity, **place(filename, 30, 9, 52))))
    assert matched(line) == {
        "file": filename,
        "line": "30",
        "column": "9",
        "severity": severity,
        "code": "AOTI101",
        "message": "load-on-other-device: the package was compiled for cuda and is loaded on cpu",
    }


def test_the_matcher_reads_notebooks_and_unreadable_files() -> None:
    problem = {"filename": "serve.py", "message": "not valid utf-8", "location": None, "cell": None}
    broken, cell = concise_lines(document(finding(**place("a.ipynb", 2, 5, 9, cell=4)), errors=[problem]))
    assert matched(broken)["code"] == "AOTI002"
    assert (matched(broken)["file"], matched(broken)["line"]) == ("serve.py", "1")
    assert (matched(cell)["file"], matched(cell)["line"]) == ("a.ipynb", "2")
