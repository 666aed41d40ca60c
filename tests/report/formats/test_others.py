"""What formats have of their own: commands of GitHub, entries of GitLab, tests, suggestions of reviewdog, lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from aoti_lint.quoting.workflow import command
from aoti_lint.report.check.json_v1 import FileProblem, Finding, SkippedFile
from aoti_lint.report.document import empty_document
from tests.quoting.polyglot import POLYGLOT
from tests.report.documents import document, finding, place
from tests.report.formats.readers import commands, written
from tests.report.formats.test_sarif import ASTRAL

PROBLEM = {"filename": "x.py", "message": "invalid syntax", "location": {"row": 2, "column": 5}, "cell": None}


def test_a_command_of_github(tmp_path: Path) -> None:
    assert written(document(finding()), "github", tmp_path) == (
        "::error title=aoti-lint AOTI101 load-on-other-device,file=serve.py,line=3,endLine=3,col=9,endColumn=51::"
        "the package was compiled for cuda and is loaded on cpu%0Ahelp: load it on the device it was compiled for%0A"
        "outcome: raises at load%0Anote: a package keeps the device it was compiled for%0A"
        "export.py:3:8: compiled for cuda here\n"
    )


def test_columns_only_where_all_is_on_one_line(tmp_path: Path) -> None:
    item = finding(severity="info")
    item["end_location"] = {"row": 5, "column": 2}
    ((level, properties, _),) = commands(written(document(item), "github", tmp_path))
    assert level == "notice"
    assert sorted(properties) == ["endLine", "file", "line", "title"]
    assert (properties["line"], properties["endLine"]) == ("3", "5")


@pytest.mark.parametrize("text", ["100%, %0A %25", "a::b,c=d:e", "one\ntwo", "\r::error::x", POLYGLOT, "x ##[error]y"])
def test_github_gets_a_text_as_a_terminal_shows_it(text: str) -> None:
    from aoti_lint.quoting.terminal import line, lines

    ((level, properties, message),) = commands(command("warning", text, title=text, file=text, line=None))
    assert (level, message) == ("warning", "\n".join(lines(text)))
    assert properties == {"title": line(text), "file": line(text)}


FAKE = {
    "message": "add this fake",
    "applicability": "unsafe",
    "edits": [{"content": "\n@op.register_fake\ndef _(x):\n    return x\n", **place("serve.py", 5, 1, 1)}],
}


@pytest.mark.parametrize("form", ["github", "junit", "rdjson", "sarif"])
def test_a_fix_is_told_with_its_lines(form: str, tmp_path: Path) -> None:
    text = written(document(finding(fix=FAKE)), form, tmp_path)
    assert all(part in text for part in ("add this fake", "+ @op.register_fake", "+     return x"))


def test_gitlab_tells_the_other_end_and_no_code_in_a_paragraph(tmp_path: Path) -> None:
    (entry,) = json.loads(written(document(finding(fix=FAKE)), "gitlab", tmp_path))
    assert entry["description"] == (
        "the package was compiled for cuda and is loaded on cpu; help: load it on the device it was compiled for; "
        "outcome: raises at load; note: a package keeps the device it was compiled for; "
        "export.py:3:8: compiled for cuda here"
    )


def test_gitlab_has_one_fingerprint_an_entry(tmp_path: Path) -> None:
    more = finding(message="something else of the same statement")
    text = written(document(finding(), finding(), more, errors=[PROBLEM]), "gitlab", tmp_path)
    entries = json.loads(text)
    assert entries[1]["fingerprint"] == "0123456789abcdef"
    assert len({one["fingerprint"] for one in entries}) == 4
    assert entries[0]["location"] == {"path": "x.py", "lines": {"begin": 2, "end": 2}}
    assert [one["severity"] for one in entries] == ["critical"] * 4
    assert written(document(finding(), finding(), more, errors=[PROBLEM]), "gitlab", tmp_path) == text


def suites(text: str) -> list[tuple[TestSuite, list[TestCase]]]:
    report = JUnitXml.fromstring(text.encode())
    return [(suite, list(suite)) for suite in report if isinstance(suite, TestSuite)]


def test_tests_by_file(tmp_path: Path) -> None:
    made = document(finding(), finding(), finding(severity="info", **place("z.py", 1, 1, 2)), errors=[PROBLEM])
    (_, broken), (serve, found), (_, advice) = suites(written(made, "junit", tmp_path))
    assert [type(one) for one in broken[0].result] == [Error]
    assert (serve.name, serve.tests, serve.failures, serve.errors) == ("serve.py", 2, 2, 0)
    assert [case.name for case in found] == [
        "AOTI101 load-on-other-device in line 3", "AOTI101 load-on-other-device in line 3, 2"
    ]  # fmt: skip
    (failure,) = found[0].result
    assert isinstance(failure, Failure)
    assert (failure.type, failure.message) == ("error", finding()["message"])
    assert "note: a package keeps the device it was compiled for\nexport.py:3:8: compiled for cuda here" in str(
        failure.text
    )
    assert advice[0].is_passed
    assert finding()["message"] in str(advice[0].system_out)


def test_a_clean_run_is_a_test_that_passes(tmp_path: Path) -> None:
    ((suite, (case,)),) = suites(written(empty_document(), "junit", tmp_path))
    assert (suite.tests, suite.failures, suite.errors) == (1, 0, 0)
    assert case.is_passed


def test_xml_is_ascii(tmp_path: Path) -> None:
    text = written(document(finding(message="ü𝔘\ufffe\x00", **place("ü.py", 1, 1, 2))), "junit", tmp_path)
    assert text.isascii()
    ((suite, (case,)),) = suites(text)
    assert (suite.name, case.result[0].message) == ("ü.py", "ü𝔘\\ufffe\\x00")


def test_reviewdog_counts_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("serve.py").write_text(ASTRAL, encoding="utf-8")
    report = check(Options(["serve.py"], Config(), cache=False, torch_version="2.13"))
    deprecated, missing = json.loads(written(report.document, "rdjson", tmp_path, report.line))["diagnostics"]
    assert within(ASTRAL, missing["location"]["range"]) == "torch.export.export_for_training"
    (suggestion,) = missing["suggestions"]
    assert within(ASTRAL, suggestion["range"]) == "torch.export.export_for_training"
    assert suggestion["text"] == "torch.export.export"
    (related,) = deprecated["related_locations"]
    assert within(ASTRAL, related["location"]["range"]) == "go(torch.ones(3))"
    Path("serve.py").unlink()
    (_, unseen) = json.loads(written(report.document, "rdjson", tmp_path))["diagnostics"]
    assert unseen["location"]["range"] == {"start": {"line": 6}, "end": {"line": 6}}
    assert "suggestions" not in unseen


def within(text: str, range_: dict[str, dict[str, int]]) -> str:
    """What a range of one line is of, in columns that count bytes from 1, the end exclusive."""
    start, end = range_["start"], range_["end"]
    assert start["line"] == end["line"]
    row = text.split("\n")[start["line"] - 1].encode()
    return row[start["column"] - 1 : end["column"] - 1].decode()


def test_two_edits_are_no_suggestion(tmp_path: Path) -> None:
    Path(tmp_path, "serve.py").write_text("x\n" * 5, encoding="utf-8")
    edits = [{"content": "a", **place("serve.py", row, 1, 1)} for row in (1, 2)]
    fix = {"message": "do it", "applicability": "safe", "edits": edits}
    (one,) = json.loads(written(document(finding(fix=fix)), "rdjson", tmp_path))["diagnostics"]
    assert "suggestions" not in one


def test_lines_have_the_fields_of_the_document(tmp_path: Path) -> None:
    skipped = [{"filename": "big.py", "reason": "larger than 2 MB"}]
    made = document(finding(), errors=[PROBLEM], skipped=skipped)
    lines = [json.loads(line) for line in written(made, "json-lines", tmp_path).splitlines()]
    assert [one.pop("kind") for one in lines] == ["run", "error", "finding", "skipped"]
    assert lines[0] == {name: made[name] for name in ("format", "version", "torch", "summary")}
    assert [FileProblem.model_validate(lines[1]).model_dump(mode="json")] == made["errors"]
    assert [Finding.model_validate(lines[2]).model_dump(mode="json")] == made["diagnostics"]
    assert [SkippedFile.model_validate(lines[3]).model_dump(mode="json")] == made["skipped"]
