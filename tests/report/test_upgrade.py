"""The part of a report that says what breaks with which torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from aoti_lint.report.check.json_v1 import Document
from aoti_lint.report.check.upgrade import held, upgrade, upgrade_lines
from tests.report.documents import finding, place

MINORS = ["2.11", "2.12", "2.13"]


def steps(*versions: str) -> list[tuple[str, str, int]]:
    found = [finding(versions=[one] if one else []) for one in versions]
    return [(step["version"], step["change"], step["count"]) for step in upgrade(found, MINORS)]


def test_a_finding_for_all_versions_is_no_step() -> None:
    assert steps("") == []


def test_when_findings_begin_and_end() -> None:
    assert steps("2.12\N{EN DASH}2.13") == [("2.12", "begins", 1)]
    assert steps("2.11") == [("2.11", "begins", 1), ("2.12", "ends", 1)]
    assert steps("2.11, 2.13", "2.13") == [("2.11", "begins", 1), ("2.12", "ends", 1), ("2.13", "begins", 2)]


def test_versions_are_read_back() -> None:
    assert list(held(["2.4, 2.6\N{EN DASH}2.7"])) == ["2.4", "2.6", "2.7"]


def test_many_places_are_counted() -> None:
    found = [finding(versions=["2.13"], **place("a.py", row, 1, 2)) for row in range(1, 8)]
    lines = ["".join(text for text, _ in line) for line in upgrade_lines({"upgrade": upgrade(found, MINORS)})]
    assert lines == [
        "Upgrade: what breaks when",
        "  torch 2.13: AOTI101 load-on-other-device fails in 7 places: a.py:1, a.py:2, a.py:3, a.py:4, 3 more",
        "",
    ]
    assert list(upgrade_lines({"upgrade": []})) == []


@pytest.mark.parametrize(
    ("stated", "configured", "expected"),
    [
        ("2.10..2.13", None, ["2.11"]),
        (None, "2.10..2.13", ["2.11"]),
        ("2.11..2.13", None, []),
        ("2.13", None, []),
        (None, None, []),
    ],
)
def test_it_is_made_for_a_range_that_somebody_stated(
    stated: str | None, configured: str | None, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "a"\ndependencies = ["torch>=2.8"]\n', encoding="utf-8")
    path = tmp_path / "old.py"
    path.write_text("from torch.export import export_for_training\n", encoding="utf-8")
    config = Config()
    config.torch_version = configured
    document = check(Options([str(path)], config, cache=False, torch_version=stated)).document
    assert [step["version"] for step in document["upgrade"]] == expected
    assert Document.model_validate(document).model_dump(mode="json")["upgrade"] == document["upgrade"]
