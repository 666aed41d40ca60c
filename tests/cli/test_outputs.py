"""`--output-format`: several reports of one run, each in its place."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.cli.check.arguments import parser
from aoti_lint.report.check.formats import FORMATS
from tests.cli.conftest import Result
from tests.cli.scripts import DEPRECATED

Lint = Callable[..., Result]
PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.fixture
def script(project: Path) -> Path:
    path = project / "script.py"
    path.write_text(DEPRECATED, encoding="utf-8")
    return path


def of(*formats: str) -> list[str]:
    return [word for name in formats for word in ("--output-format", name)]


def test_several_outputs_in_one_run(script: Path, lint: Lint, analysed: list[str]) -> None:
    text = lint("script.py", "--no-cache").out
    as_json = lint("script.py", "--no-cache", *of("json")).out
    analysed.clear()
    result = lint("script.py", "--no-cache", *of("sarif=a.sarif", "text", "json=b.json"))
    assert (result.code, result.out, result.err) == (1, text, "")
    assert len(analysed) == 1
    assert json.loads(Path("a.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert Path("b.json").read_text(encoding="utf-8") == as_json


def test_what_all_goes_to_files_leaves_standard_output_empty(script: Path, lint: Lint) -> None:
    assert lint("script.py", *of("github=log", "concise=lines")) == (1, "", "")
    assert lint("script.py", "--output-file", "log", *of("github", "concise=other")) == (1, "", "")
    assert Path("log").read_text(encoding="utf-8").startswith("::warning title=aoti-lint AOTI201 ")
    assert Path("lines").read_text(encoding="utf-8") == Path("other").read_text(encoding="utf-8")


def test_a_name_may_hold_an_equals_sign(script: Path, lint: Lint) -> None:
    assert lint("script.py", *of("json=a=b.json")).code == 1
    assert Path("a=b.json").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (of("sarfi"), "there is no format 'sarfi'; did you mean 'sarif'? (text, "),
        (of("sarif="), "'sarif=' names no file"),
        (of("sarif=-"), "'sarif=-': the report that goes to standard output has no file: sarif"),
        (of("json", "sarif"), "json and sarif cannot go to one place: write --output-format json=FILE"),
        ([*of("json", "sarif"), "--output-file", "x"], "json and sarif cannot go to one place"),
        ([*of("json=a"), "--output-file", "x"], "--output-file: every --output-format has a file of its own"),
        (of("json=a", "sarif=./a"), "two reports cannot go to one file"),
    ],
)
def test_what_cannot_be_meant_is_refused(script: Path, lint: Lint, words: list[str], said: str) -> None:
    before = sorted(Path().iterdir())
    result = lint("script.py", *words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert sorted(Path().iterdir()) == before


def test_merge_writes_every_format_too(script: Path, lint: Lint) -> None:
    Path("one.json").write_text(lint("script.py", *of("json")).out, encoding="utf-8")
    result = lint("merge", "one.json", *of("text", *(f"{name}={name}.out" for name in FORMATS if name != "text")))
    assert result.code == 1
    assert result.out.startswith("warning[AOTI201]: ")
    for name in FORMATS:
        if name != "text":
            direct = lint("script.py", *of(name)).out
            assert Path(f"{name}.out").read_text(encoding="utf-8") == direct, name


def test_the_help_lists_the_formats(lint: Lint) -> None:
    said = " ".join(lint("--help").out.split())
    assert f"{', '.join(FORMATS)} (default: text)" in said


def test_the_page_has_every_format_and_its_command_lines_are_understood() -> None:
    table = re.findall(r"^\| (`.+?`) \|", PAGE, re.MULTILINE)
    assert [name for row in table for name in re.findall(r"`([\w-]+)`", row)] == list(FORMATS)
    lines = re.findall(r"^ *(?:- )?(?:run: )?(aoti-lint [^|\n]+)", PAGE, re.MULTILINE)
    assert len(lines) == 6
    for line in lines:
        assert parser().parse_intermixed_args(shlex.split(line)[1:]).paths == ["."]


def test_what_cannot_be_read_is_said_where_no_report_is_printed(lint: Lint) -> None:
    said = "aoti-lint: error: gone.py: no such file or folder\n"
    for words in (("gone.py", "--output-format", "sarif=a.sarif"), ("map", "gone.py", "-o", "a.html")):
        result = lint(*words, "--no-cache")
        assert (result.code, result.out, result.err) == (2, "", said)
    result = lint("gone.py", "--output-format", "sarif=b.sarif", "--output-format", "text", "--no-cache")
    assert (result.code, result.err) == (2, "")
