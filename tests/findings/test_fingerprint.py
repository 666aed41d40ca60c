"""What a fingerprint depends on, and what not."""

from __future__ import annotations

import pytest

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Severity, Span
from aoti_lint.findings.fingerprint import fill, locate, place_in, shape
from aoti_lint.ir.lower import lower

TEXT = """\
import torch

class Server:
    @decorated
    def start(self, path):
        try:
            model = load(path, "cpu")
        finally:
            done()
        return model

model = load("m.pt2")
"""


def fingerprints(text: str, needle: str = "load(", code: str = "AB101", path: str = "a.py") -> list[Diagnostic]:
    module = lower(text, path)
    data = text.encode()
    found = []
    start = data.find(needle.encode())
    while start >= 0:
        span = Span(path, start, start + len(needle))
        found.append(Diagnostic(code, "a-rule", Severity.ERROR, Confidence.CERTAIN, Outcome.RAISES, "", span))
        start = data.find(needle.encode(), start + 1)
    fill(
        found,
        lambda _, offset: place_in(module, offset),
        lambda _, start: shape(locate(module, start)[1]),
        lambda _, offset: text,
    )
    return found


def names(text: str, **where: str) -> list[str]:
    return [item.fingerprint for item in fingerprints(text, **where)]


def test_qualified_names() -> None:
    assert [item.qualified_name for item in fingerprints(TEXT)] == ["Server.start", ""]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import torch\n", "import torch\nimport os\n\n\nprint(os)\n"),
        ('load(path, "cpu")', "load(\n                path,\n                'cpu',  # here\n            )"),
        ("done()", "done(1)"),
        ("\n", "\r\n"),
        ('"m.pt2")', '"m.pt2")  # a comment'),
    ],
)
def test_layout_and_other_code_do_not_count(old: str, new: str) -> None:
    assert names(TEXT.replace(old, new)) == names(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"cpu"', '"xpu"'), ("class Server", "class Client"), ("def start", "def stop"), ("model = load(p", "m = load(p")],
)
def test_the_statement_and_the_names_around_it_count(old: str, new: str) -> None:
    (first, second), (same, other) = names(TEXT.replace(old, new)), names(TEXT)
    assert first != same
    assert second == other


def test_rule_and_file_count() -> None:
    assert not set(names(TEXT)) & set(names(TEXT, code="AB102"))
    assert not set(names(TEXT)) & set(names(TEXT, path="b.py"))


def test_equal_statements_are_told_apart() -> None:
    assert len(set(names("load(1)\nload(1)\nload(1)\n"))) == 3


def test_a_finding_in_a_header_does_not_depend_on_the_body() -> None:
    text = "def f(x=load()):\n    return 1\n"
    assert names(text) == names(text.replace("return 1", "return 2"))
    assert names(text) != names(text.replace("x=", "y="))


def test_what_is_no_python_goes_by_its_line() -> None:
    span = Span("a.pt2", 0, 1)
    found = [Diagnostic("AB101", "a-rule", Severity.ERROR, Confidence.CERTAIN, Outcome.RAISES, "", span) for _ in "12"]
    fill(found[:1], lambda *_: ("", None), lambda *_: "", lambda *_: "one")
    fill(found[1:], lambda *_: ("", None), lambda *_: "", lambda *_: " one ")
    assert found[0].fingerprint == found[1].fingerprint != ""
