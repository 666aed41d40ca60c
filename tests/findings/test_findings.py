"""What becomes of the findings of rules before they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.catalogue.registry import Registry
from aoti_lint.config import Config
from aoti_lint.diagnostics import Applicability, Confidence, Diagnostic, Edit, Fix, Outcome, Related, Severity, Span
from aoti_lint.errors import CannotRun
from aoti_lint.findings.findings import Findings
from aoti_lint.findings.judging import Judging
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.report.check.json_v1 import Document
from aoti_lint.rule import Rule
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

TEXT = "import torch\n\nfirst = load(\n    '日本'\n)\nsecond = load(1)\n"


class Reporting(Rule):
    """Finds what it is told to."""

    code = "AB101"
    name = "a-rule"
    told: tuple[Diagnostic, ...] = ()

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        return self.told


def diagnostic(needle: str = "load(\n", path: str = "a.py", **changes: Any) -> Diagnostic:
    start = TEXT.encode().index(needle.encode())
    values: dict[str, Any] = {
        "code": "AB101",
        "name": "a-rule",
        "severity": Severity.ERROR,
        "confidence": Confidence.CERTAIN,
        "outcome": Outcome.RAISES,
        "message": "wrong",
        "span": Span(path, start, start + len(needle.encode())),
    }
    return Diagnostic(**values | changes)


def document(folder: Path, *found: Diagnostic, **choices: Any) -> dict[str, Any]:
    """The document of a project with `a.py` (named) and `b.py` (not named), in which one rule finds these."""
    config, pedantic = Config(), choices.pop("pedantic", False)
    for name, value in choices.items():
        setattr(config, name, value)
    for name in ("a.py", "b.py"):
        (folder / name).write_text(TEXT, encoding="utf-8")
    registry = Registry()
    registry.add(type("Told", (Reporting,), {"told": found}), "the test")
    project = Project(folder, ["a.py"])
    findings = Findings(project, Options([], config, pedantic=pedantic), registry)
    made = findings.document(findings.of(Facts(project, SUPPORTED)), lambda path: path)
    assert Document.model_validate(made).model_dump(mode="json") == made
    return made


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ({}, "error"),
        ({"severity": Severity.WARNING}, "warning"),
        ({"confidence": Confidence.LIKELY}, "warning"),
        ({"confidence": Confidence.LIKELY, "severity": Severity.INFO}, "info"),
        ({"versions": ("2.8",)}, "warning"),
        ({"confidence": Confidence.POSSIBLE}, "info"),
    ],
)
def test_only_what_is_certain_for_all_versions_is_an_error(
    tmp_path: Path, changes: dict[str, Any], severity: str
) -> None:
    (item,) = document(tmp_path, diagnostic(**changes), pedantic=True)["diagnostics"]
    assert item["severity"] == severity


def test_the_configuration_has_the_last_word_on_severity_but_for_what_is_only_possible(tmp_path: Path) -> None:
    likely = diagnostic(confidence=Confidence.LIKELY)
    possible = diagnostic("load(1", confidence=Confidence.POSSIBLE)
    made = document(tmp_path, likely, possible, severity={"a-rule": "error"}, pedantic=True)
    assert [item["severity"] for item in made["diagnostics"]] == ["error", "info"]


def test_what_is_only_possible_is_counted_and_not_shown(tmp_path: Path) -> None:
    made = document(tmp_path, diagnostic(confidence=Confidence.POSSIBLE))
    assert made["diagnostics"] == []
    assert made["summary"]["held_back"] == 1


def test_of_equal_findings_the_surest_stays(tmp_path: Path) -> None:
    likely, part = diagnostic(confidence=Confidence.LIKELY), diagnostic(versions=("2.8",))
    (item,) = document(tmp_path, likely, diagnostic(), part)["diagnostics"]
    assert (item["confidence"], item["versions"]) == ("certain", [])
    assert len(document(tmp_path, likely, diagnostic(message="also wrong"))["diagnostics"]) == 2


def test_one_place_is_one_finding_however_many_ways_lead_there(tmp_path: Path) -> None:
    """What one way has several of stays, the other ways are told with the surest."""
    calls = [Span("a.py", start, start + 1) for start in range(6)]
    surest = [diagnostic(message=text, event=1, chain=(calls[5], calls[0])) for text in ("rows", "columns")]
    likely = {"confidence": Confidence.LIKELY}
    others = [diagnostic(message=f"{n}", event=n, chain=(calls[5], calls[n - 1]), **likely) for n in (2, 3, 4, 5)]
    made = document(tmp_path, *others, *surest)["diagnostics"]
    assert [item["message"] for item in made] == ["columns", "rows"]
    told = [one["message"] for item in made for one in item["related"]]
    assert told == ["from here too: 2", "from here too: 3", "from here too: 4"]
    assert [note for item in made for note in item["notes"]] == ["more calls that lead here and go wrong: 1"]
    looped = [diagnostic(message=text, event=event) for text, event in (("first", 1), ("second", 2))]
    (item,) = document(tmp_path, *looped)["diagnostics"]
    assert (item["message"], item["related"]) == ("first", [])


def test_what_fails_in_no_version_is_no_finding(tmp_path: Path) -> None:
    made = document(tmp_path, diagnostic(versions=(str(VersionSet()),)), pedantic=True)
    assert made["diagnostics"] == []
    assert made["summary"]["held_back"] == 0


def test_files_that_were_not_named_have_no_findings(tmp_path: Path) -> None:
    assert document(tmp_path, diagnostic(path="b.py"))["diagnostics"] == []


def test_findings_come_in_the_order_of_their_places(tmp_path: Path) -> None:
    made = document(tmp_path, diagnostic("load(1"), diagnostic())
    assert [item["location"]["row"] for item in made["diagnostics"]] == [3, 6]


def test_places_are_rows_and_code_points(tmp_path: Path) -> None:
    literal = Span("a.py", TEXT.encode().index("'日".encode()), TEXT.encode().index(b"\n)"))
    related = Related(Span("b.py", 7, 12), "imported here")
    fix = Fix("use another", Applicability.UNSAFE, (Edit(literal, "'x'"),))
    (item,) = document(tmp_path, diagnostic(span=literal, related=(related,), fix=fix))["diagnostics"]
    assert (item["location"], item["end_location"]) == ({"row": 4, "column": 5}, {"row": 4, "column": 9})
    assert item["noqa_row"] == 5
    assert item["related"] == [
        {
            "message": "imported here",
            "filename": "b.py",
            "location": {"row": 1, "column": 8},
            "end_location": {"row": 1, "column": 13},
            "cell": None,
        }
    ]
    (edit,) = item["fix"]["edits"]
    assert (edit["content"], edit["end_location"]) == ("'x'", {"row": 4, "column": 9})


def test_a_rule_of_somebody_else_that_fails_is_named(tmp_path: Path) -> None:
    class Failing(Reporting):
        def check(self, facts: Facts) -> Iterable[Diagnostic]:
            raise ValueError("no")

    registry = Registry()
    registry.add(Failing, "the test")
    project = Project(tmp_path, [])
    with pytest.raises(CannotRun, match=r"rule AB101 of tests.* failed: ValueError: no"):
        Findings(project, Options([], Config()), registry).of(Facts(project, SUPPORTED))


def test_a_rule_of_ours_that_fails_does_not_silence_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Reporting):
        def check(self, facts: Facts) -> Iterable[Diagnostic]:
            yield diagnostic(message="found before")
            raise ValueError("no")

    Failing.__module__ = "aoti_lint.rules.failing"
    monkeypatch.delenv("AOTI_LINT_DEBUG", raising=False)
    registry = Registry()
    registry.add(Failing, "the test")
    project = Project(tmp_path, [])
    facts = Facts(project, SUPPORTED)
    found = Judging(Options([], Config()), registry).found(facts)
    assert [one.message for one in found] == ["found before"]
    assert facts.notes == ["AB101 (a-rule) was not finished, because of a bug in aoti-lint (ValueError: no)"]
