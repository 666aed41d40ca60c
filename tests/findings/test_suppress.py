"""Suppression comments."""

from __future__ import annotations

import pytest

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Severity, Span
from aoti_lint.findings.logical import LogicalLines
from aoti_lint.findings.suppress import Suppressions
from aoti_lint.source.interest.needles import may_suppress
from aoti_lint.source.text import read_source
from tests.rules.fakes import registry

RULES = registry(
    AOTI001="unused_suppression", AOTI003="malformed_suppression", AOTI101="load_on_other_device", AB101="third_party"
)
EVERY = frozenset(RULES.names)


def found_at(text: str, needle: str, code: str = "AOTI101") -> Diagnostic:
    start = text.encode().index(needle.encode())
    return Diagnostic(
        code=code,
        name="a-rule",
        severity=Severity.ERROR,
        confidence=Confidence.CERTAIN,
        outcome=Outcome.RAISES,
        message="",
        span=Span("a.py", start, start + len(needle)),
    )


def suppressions(text: str) -> Suppressions:
    source = read_source(text.encode(), "a.py")
    return Suppressions(source, LogicalLines(source.lines), RULES)


def is_suppressed(text: str, needle: str = "load", code: str = "AOTI101") -> bool:
    found = found_at(text, needle, code)
    return suppressions(text).hides(found.code, found.span.start)


@pytest.mark.parametrize(
    "comment",
    [
        "# aoti-lint: ignore[AOTI101]",
        "#aoti-lint:ignore[aoti101]",
        "# aoti-lint: ignore[load-on-other-device] because the test wants it",
        "# aoti-lint: ignore[AB101, AOTI101]",
        "# noqa: AOTI101",
        "# NOQA:E501,AOTI101",
        "# noqa: E501 AOTI101",
        "# type: ignore  # noqa: AOTI101",
        "# noqa: E501  # aoti-lint: ignore[AOTI101]",
    ],
)
def test_comments_that_suppress(comment: str) -> None:
    assert is_suppressed(f"load()  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# noqa: E501",
        "# noqa: AB101",
        "# noqa: load-on-other-device",
        "# aoti-lint: ignore",
        "# aoti-lint: ignore[]",
        "# aoti-lint: ignore[AB101]",
        "# aoti-lint: ignore[AOTI1]",
        "# aoti-lint: disable[AOTI101]",
        "# aoti-lint ignore[AOTI101]",
    ],
)
def test_comments_that_do_not(comment: str) -> None:
    assert not is_suppressed(f"load()  {comment}\n")


def test_any_row_of_the_statement_will_do() -> None:
    for row in range(4):
        rows = ["x = f(", "    load(", "    ),", ")"]
        rows[row] += "  # noqa: AOTI101"
        assert is_suppressed("\n".join(["before()", *rows, "after()"]))


@pytest.mark.parametrize("row", ["before()  # noqa: AOTI101", "after()  # noqa: AOTI101", "# noqa: AOTI101"])
def test_other_rows_will_not(row: str) -> None:
    text = f"{row}\nload()\n" if not row.startswith("after") else f"load()\n{row}\n"
    assert not is_suppressed(text)


def test_a_decorator_belongs_to_its_function_and_the_body_does_not() -> None:
    assert is_suppressed("@load()\n@other\ndef f(  # noqa: AOTI101\n): pass\n")
    assert not is_suppressed("@load()\ndef f():\n    pass  # noqa: AOTI101\n")


def test_a_whole_file() -> None:
    text = "load()\nx = 1  # aoti-lint: ignore-file[AOTI101] generated\nload()\n"
    assert is_suppressed(text)
    assert not is_suppressed(text, code="AB101")


@pytest.mark.parametrize(
    "text",
    [
        'load("# noqa: AOTI101")\n',
        'load("""\n# aoti-lint: ignore-file[AOTI101]\n""")\n',
        "load(f'# noqa: AOTI101')\n",
    ],
)
def test_only_comments_count(text: str) -> None:
    assert not is_suppressed(text)


def test_rows_are_right_with_every_newline_and_wide_characters() -> None:
    assert is_suppressed("x = '日本'\r\nload(\r\n    1  # noqa: AOTI101\r\n)\r\n")
    assert is_suppressed("x = '日本'\rload()  # noqa: AOTI101\r")


def test_what_suppressed_nothing_is_reported_where_it_stands() -> None:
    text = "load()  # noqa: AOTI101\nx = '日'  # aoti-lint: ignore[AB101, load-on-other-device]\n"
    comments = suppressions(text)
    assert comments.hides("AOTI101", text.index("load"))
    unused = comments.unused(EVERY)
    assert [item.code for item in unused] == ["AOTI001", "AOTI001"]
    data = text.encode()
    assert [data[item.span.start : item.span.end].decode() for item in unused] == ["AB101", "load-on-other-device"]
    assert unused[0].message == "no third-party finding (AB101) in this statement needs to be suppressed"


def test_a_rule_that_did_not_run_has_no_unused_suppressions() -> None:
    assert suppressions("x  # noqa: AOTI101\n").unused(EVERY - {"AOTI101"}) == []


@pytest.mark.parametrize(
    ("comment", "place", "message"),
    [
        ("# aoti-lint: ignore", "# aoti-lint: ignore", "a suppression must name its rules"),
        ("# aoti-lint: ignore-file[ ]", "# aoti-lint: ignore-file[ ]", "a suppression must name its rules"),
        ("# aoti-lint: disable[AOTI101]", "# aoti-lint: disable[AOTI101]", "'disable' is no suppression"),
        ("# aoti-lint: [AOTI101]", "# aoti-lint: [AOTI101]", "this suppresses nothing"),
        ("# aoti-lint: ignore[AOTI110]", "AOTI110", "there is no rule 'AOTI110'; aoti-lint explain AOTI1 lists "),
        ("# noqa: AOTI999", "AOTI999", "there is no rule 'AOTI999'"),
    ],
)
def test_comments_that_cannot_mean_anything(comment: str, place: str, message: str) -> None:
    text = f"x = 1  {comment}\n"
    (problem,) = suppressions(text).malformed
    assert problem.code == "AOTI003"
    assert text[problem.span.start : problem.span.end] == place
    assert problem.message.startswith(message)


@pytest.mark.parametrize("comment", ["# see aoti-lint", "# noqa", "# noqa: E501,W291", "# fixed: AOTI101"])
def test_comments_that_are_not_ours(comment: str) -> None:
    comments = suppressions(f"x = 1  {comment}\n")
    assert comments.malformed == []
    assert comments.unused(EVERY) == []


def test_a_file_that_stops_making_sense_keeps_the_comments_before() -> None:
    text = "load()  # noqa: AOTI101\nx = (\n"
    assert is_suppressed(text)


@pytest.mark.parametrize("text", ["# noqa: AOTI101", "# aoti-lint: ignore[x]"])
def test_a_look_at_the_bytes_finds_the_words(text: str) -> None:
    assert may_suppress(text.encode())
    assert not may_suppress(b"import torch  # noqa")
