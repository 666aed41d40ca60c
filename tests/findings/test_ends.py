"""A finding with several ends is told at the one that was named, and silenced at each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import Config
from aoti_lint.diagnostics import Applicability, Confidence, Diagnostic, Edit, Fix, Outcome, Related, Severity, Span
from aoti_lint.engine.check import check
from aoti_lint.findings.findings import told_in
from aoti_lint.options import Options

MAKE = """\
import torch

program = torch.export.export(torch.nn.Linear(8, 8).eval(), (torch.randn(2, 8),)){make}
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
SERVE = """\
import torch

net = torch._inductor.aoti_load_package("net.pt2")
print(net(torch.randn(3, 8))){serve}
"""
IGNORE = "  # aoti-lint: ignore[AOTI301]"


def written(folder: Path, *, make: str = "", serve: str = "") -> None:
    (folder / "pyproject.toml").write_text('[project]\ndependencies = ["torch==2.13.*"]\n')
    (folder / "make.py").write_text(MAKE.format(make=make))
    (folder / "serve.py").write_text(SERVE.format(serve=serve))


def found(path: str, silent: str = "") -> list[dict[str, Any]]:
    """The findings told of a path; the file `silent` wants to hear nothing of them."""
    config = Config()
    config.per_file_ignores = {silent: ["AOTI301"]} if silent else {}
    findings: list[dict[str, Any]] = check(Options([path], config, cache=False)).document["diagnostics"]
    return findings


def rows(places: Any) -> list[str]:
    return [f"{one['filename']}:{one['location']['row']}" for one in places]


def test_it_is_told_where_one_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    (whole,), (there,), (here,) = found("."), found("serve.py"), found("make.py")
    assert whole == there
    assert rows([whole, *whole["related"]]) == ["serve.py:4", "make.py:3"]
    assert rows([here, *here["related"]]) == ["make.py:3", "serve.py:4"]
    assert here["message"] == f"serve.py:4: {whole['message']}"
    assert (here["label"], here["related"][0]["message"]) == (whole["related"][0]["message"], whole["label"])
    assert here["fingerprint"] == whole["fingerprint"]


@pytest.mark.parametrize("end", ["make", "serve"])
def test_a_comment_at_either_end_silences_it(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, **{end: IGNORE})
    monkeypatch.chdir(tmp_path)
    assert [found(path) for path in (".", "make.py", "serve.py")] == [[], [], []]


def test_a_file_that_wants_to_hear_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert found("make.py", silent="make.py") == []
    assert len(found("serve.py", silent="make.py")) == 1
    assert found("make.py", silent="serve.py") == []


@pytest.mark.parametrize("edited", ["a.py", "b.py"])
def test_what_nobody_named_is_not_edited(edited: str) -> None:
    one = Diagnostic(
        code="AOTI301", name="name", severity=Severity.ERROR, confidence=Confidence.CERTAIN, outcome=Outcome.RAISES,
        message="message", span=Span("a.py", 0, 1), related=(Related(Span("b.py", 0, 1), "here"),),
        fix=Fix("mend it", Applicability.SAFE, (Edit(Span(edited, 0, 1), ""),)),
    )  # fmt: skip
    assert told_in({"a.py"}, one) is one
    told = told_in({"b.py"}, one)
    assert told.span.path == "b.py"
    assert (told.fix is None) == (edited == "a.py")
