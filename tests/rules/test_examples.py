"""The examples in the documentation of the rules, run through the linter.

What is marked `# <- CODE` in a bad example is found, there and nothing else; a good example is silent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.rule_docs import SECTIONS, Example, RuleDoc, read
from aoti_lint.config import OWN_FILE, Config
from aoti_lint.config import load as load_config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from aoti_lint.report.document import OPEN
from aoti_lint.rule import Rule
from tests.package.archives import place

RULES = list(load())
ADVICE = {"AOTI109", "AOTI336", "AOTI507", "AOTI509", "AOTI605"}
"""Rules whose findings are all only possible."""


def doc_of(rule: Rule) -> RuleDoc:
    return read(type(rule).__doc__ or "")


def cases(kind: str) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{rule.code}-{number}")
        for rule in RULES
        for number, example in enumerate(getattr(doc_of(rule), kind), start=1)
    ]


def checked(example: Example, folder: Path, code: str | None = None) -> dict[str, Any]:
    """The document of an example, which is written into `folder`; `code` is that of its rule."""
    for name, text in example.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    named = [str(folder), *(str(place(name, folder)) for name in example.archives)]
    config = load_config(str(folder / OWN_FILE)) if OWN_FILE in example.files else Config()
    # A rule that only ever gives advice is shown by --pedantic.
    pedantic = code is not None and code in ADVICE
    options = Options(named, config, cache=False, torch_version=example.torch or "2.13", pedantic=pedantic)
    return check(options).document


def findings(example: Example, folder: Path, code: str | None = None) -> list[tuple[str, int, str]]:
    """File, row and code of all that is found in an example, as `Example.expected` has it."""
    document = checked(example, folder, code)
    found = [(item["filename"], item["location"]["row"], item["code"]) for item in document["diagnostics"]]
    found += [(item["filename"], item["location"]["row"], "AOTI002") for item in document["errors"]]
    return sorted(found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_is_documented(rule: Rule) -> None:
    doc = doc_of(rule)
    assert doc.summary.partition("\n")[0].endswith(".")
    assert doc.bad
    assert doc.good
    assert all(example.expected for example in doc.bad)
    assert all(rule.code in {code for _, _, code in example.expected} for example in doc.bad)
    missing = [name for name in SECTIONS if name not in ("Bad", "Good") and not doc.prose.get(name)]
    assert not missing


@pytest.mark.parametrize(("rule", "example"), cases("bad"))
def test_a_bad_example_is_found_where_it_says(
    rule: Rule, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert findings(example, tmp_path, rule.code) == sorted(example.expected)
    found = checked(example, tmp_path, rule.code)["diagnostics"]
    assert [item["code"] for item in found if item["confidence"] != "certain" and item["doubt"] in ("", OPEN)] == []


@pytest.mark.parametrize(("rule", "example"), cases("good"))
def test_a_good_example_is_silent(
    rule: Rule, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert findings(example, tmp_path, rule.code) == []
