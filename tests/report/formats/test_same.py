"""All formats tell the same findings, in what programs that take them read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.rule_docs import Example, read
from aoti_lint.config import OWN_FILE, Config
from aoti_lint.config import load as load_config
from aoti_lint.engine.check import Report, check
from aoti_lint.options import Options
from aoti_lint.report.check.formats import FORMATS, is_report
from aoti_lint.report.document import empty_document
from tests.cli.scripts import BROKEN
from tests.package.archives import place as place_archive
from tests.quoting.polyglot import NAME, POLYGLOT
from tests.report.documents import document, finding, place
from tests.report.formats.readers import READERS, written

FOR_PROGRAMS = sorted(set(FORMATS) - {"text", "concise"})
SOME = 4
"""Of this many rules, one is looked at."""


def examples() -> list[object]:
    rules = [rule for number, rule in enumerate(load()) if number % SOME == 0]
    docs = [(rule.code, read(type(rule).__doc__ or "")) for rule in rules]
    return [pytest.param(doc.bad[0], id=code) for code, doc in docs]


def report_of(example: Example, folder: Path) -> Report:
    """What is found in an example, with a file that cannot be parsed beside it."""
    for name, text in {**example.files, "zzz_broken.py": BROKEN}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    named = [str(folder), *(str(place_archive(name, folder)) for name in example.archives)]
    config = load_config(str(folder / OWN_FILE)) if OWN_FILE in example.files else Config()
    return check(Options(named, config, cache=False, torch_version=example.torch or "2.13", pedantic=True))


def test_every_format_has_a_reader() -> None:
    assert sorted(READERS) == FOR_PROGRAMS


@pytest.mark.parametrize("example", examples())
def test_all_formats_tell_the_same_findings(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = report_of(example, tmp_path)
    told = {name: READERS[name](written(report.document, name, tmp_path, report.line)) for name in FOR_PROGRAMS}
    assert ("AOTI002", "zzz_broken.py", 2) in told["json"]
    assert len(told["json"]) > 1
    for name, found in told.items():
        assert sorted(found, key=str) == sorted(told["json"], key=str), name


HOSTILE = (
    POLYGLOT, "100%, %0A::error::x", "a::b,c=d:e", "]]> <!-- &amp; <x/>", "\ufffe\uffff\x00\x08", "\udc80\ud800",
    "[x](1) [y](http://e) {0}", " \t x ",
)  # fmt: skip


def hostile(text: str, name: str) -> dict[str, Any]:
    """A document in which all that is not ours is this."""
    fix = {"message": text, "applicability": "unsafe", "edits": [{"content": text, **place(name, 3, 9, 51)}]}
    item = finding(
        message=text, label=text, help=text, notes=[text, text], related=[{"message": text, **place(name, 1, 1, 2)}],
        fix=fix, **place(name, 3, 9, 51),
    )  # fmt: skip
    errors = [{"filename": f"b{name}", "message": text, "location": None, "cell": None}]
    skipped = [{"filename": name, "reason": text}]
    return document(item, item, finding(severity="info"), errors=errors, skipped=skipped, notes=[text])


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("form", FOR_PROGRAMS)
def test_hostile_names_and_messages(form: str, text: str, tmp_path: Path) -> None:
    name = (NAME if text == POLYGLOT else text.replace("/", "").replace("\0", "")) + ".py"
    made = hostile(text, name)
    report = written(made, form, tmp_path)
    found = READERS[form](report)
    assert [code for code, _, _ in found] == ["AOTI002", "AOTI101", "AOTI101", "AOTI101"]
    assert [row for _, _, row in found] == [None, 3, 3, 3]
    if name.isprintable() and form != "junit":
        assert [path for _, path, _ in found[:2]] == [f"b{name}", name]
    if form in ("sarif", "gitlab", "rdjson", "rdjsonl"):
        # Strict readers of JSON take no half of a character.
        entries = report.splitlines() if form == "rdjsonl" else [report]
        json.dumps(list(map(json.loads, entries)), ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("form", FOR_PROGRAMS)
def test_nothing_found(form: str, tmp_path: Path) -> None:
    assert READERS[form](written(empty_document(), form, tmp_path)) == []


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_is_known_again(form: str, tmp_path: Path) -> None:
    broken = [{"filename": "x.py", "message": "invalid syntax", "location": None, "cell": None}]
    infos = document(finding(severity="info"))
    for made in (empty_document(), document(finding()), document(errors=broken), infos):
        head = written(made, form, tmp_path).encode()
        assert is_report(head) or not head


@pytest.mark.parametrize(
    "head",
    [
        '[{"check_name": "F401", "description": "x", "fingerprint": "1"}]', '{"version": "2.1.0", "runs": []}',
        '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"tool": {"driver": '
        '{"name": "ruff"', '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pytest tests">',
        "::error file=x::y", '{"source": {"name": "typos"}, "diagnostics": []}', '{"kind": "run"}', "[1]",
        "[]", "[]\n", "[ ]", "[\n]\n",
        "import torch\n",
    ],
)  # fmt: skip
def test_what_others_wrote_is_not_ours(head: str) -> None:
    assert not is_report(head.encode())
