"""SARIF beyond what all formats have: rules, places as GitHub resolves them, flows, fixes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.called import CALLED
from aoti_lint.catalogue.pages import about
from aoti_lint.config import Config
from aoti_lint.engine.check import Report, check
from aoti_lint.options import Options
from aoti_lint.report.lines import Lines
from tests.report.documents import document, finding, place
from tests.report.formats.readers import written

ASTRAL = """\
import torch

def go(x):
    return torch._export.aot_compile(torch.nn.ReLU(), (x,))

𝔘 = "𝔘é\\u2028"; path = torch.export.export_for_training(torch.nn.ReLU(), (torch.ones(2),)); go(torch.ones(3))
"""


def checked(folder: Path, **files: str) -> Report:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return check(Options([str(folder)], Config(), cache=False, torch_version="2.13"))


def run_of(made: dict[str, Any], folder: Path, line: Lines | None = None) -> Any:
    (run,) = json.loads(written(made, "sarif", folder, line, about=about))["runs"]
    return run


def test_rules_are_told_once_with_their_pages(tmp_path: Path) -> None:
    unknown = finding(code="XYZ101", name="of-somebody", url=None, severity="info")
    run = run_of(document(finding(), finding(severity="warning"), unknown), tmp_path)
    ours, other = run["tool"]["driver"]["rules"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 0, 1]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    assert (other["id"], other["shortDescription"]["text"]) == ("XYZ101", "of-somebody")
    assert other["help"]["text"] == "More about it: aoti-lint explain XYZ101"
    assert "helpUri" not in other
    assert (ours["id"], ours["name"]) == ("AOTI101", "load-on-other-device")
    assert ours["helpUri"] == finding()["url"]
    assert ours["defaultConfiguration"]["level"] == "error"
    assert ours["properties"]["tags"][0] == "device"
    assert ours["fullDescription"]["text"].startswith(ours["shortDescription"]["text"])
    assert "What happens:" in ours["help"]["text"]
    assert "### Bad\n\n" in ours["help"]["markdown"]
    assert "```python\nimport torch\n" in ours["help"]["markdown"]


def test_the_message_says_what_to_do_and_links_to_the_other_ends(tmp_path: Path) -> None:
    related = [{"message": "compiled [for] x\\y here", **place("export.py", 3, 8, 79)}]
    (result,) = run_of(document(finding(related=related, message="x[0](1) is [link](http://e)")), tmp_path)["results"]
    assert result["message"]["text"] == (
        "x[0] (1) is [link] (http://e)\nhelp: load it on the device it was compiled for\n"
        "outcome: raises at load\n"
        "note: a package keeps the device it was compiled for\n"
        "see [compiled \\[for\\] x\\\\y here](1)"
    )
    (other,) = result["relatedLocations"]
    assert (other["id"], other["message"]["text"]) == (1, "compiled [for] x\\y here")
    assert result["locations"][0]["message"]["text"] == "loaded on cpu here"
    assert result["partialFingerprints"] == {"aotiLint/v1": "0123456789abcdef"}
    assert "codeFlows" not in result


def test_the_calls_that_lead_there_are_a_flow(tmp_path: Path) -> None:
    related = [
        {"message": "compiled for cuda here", **place("export.py", 3, 8, 79)},
        {"message": CALLED, **place("a.py", 1, 1, 4)},
        {"message": CALLED, **place("b.py", 2, 1, 4)},
    ]
    (result,) = run_of(document(finding(related=related)), tmp_path)["results"]
    ((flow,),) = (one["threadFlows"] for one in result["codeFlows"])
    steps = [step["location"]["physicalLocation"] for step in flow["locations"]]
    assert [(step["artifactLocation"]["uri"], step["region"]["startLine"]) for step in steps] == [
        ("a.py", 1), ("b.py", 2), ("serve.py", 3)
    ]  # fmt: skip


def test_rules_tell_calls_in_the_words_of_flows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = checked(tmp_path, serve_py=ASTRAL)
    assert [len(result.get("codeFlows", ())) for result in run_of(report.document, tmp_path)["results"]] == [1, 0]


def applied(text: str, replacement: dict[str, Any]) -> str:
    """A text with a replacement, by the columns that SARIF has: code points, the end exclusive."""
    region, lines = replacement["deletedRegion"], text.split("\n")
    assert region["startLine"] == region["endLine"]
    line = lines[region["startLine"] - 1]
    start, end = region["startColumn"] - 1, region["endColumn"] - 1
    lines[region["startLine"] - 1] = line[:start] + replacement["insertedContent"]["text"] + line[end:]
    return "\n".join(lines)


def test_fixes_are_exact_beside_characters_outside_the_basic_plane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_of(checked(tmp_path, serve_py=ASTRAL).document, tmp_path)
    assert run["columnKind"] == "unicodeCodePoints"
    fixed = [result for result in run["results"] if "fixes" in result]
    ((change,),) = (fix["artifactChanges"] for fix in fixed[0]["fixes"])
    assert change["artifactLocation"]["uri"] == "serve.py"
    (replacement,) = change["replacements"]
    assert applied(ASTRAL, replacement) == ASTRAL.replace("export_for_training", "export")


@pytest.mark.parametrize(
    ("fix", "changes"),
    [
        ({"applicability": "display", "edits": [{"content": "x", **place("serve.py", 3, 9, 51)}]}, 0),
        ({"applicability": "unsafe", "edits": [{"content": "x", **place("n.ipynb", 3, 9, 51, cell=1)}]}, 0),
        ({"applicability": "unsafe", "edits": [{"content": "x", **place(name, 3, 9, 51)} for name in "aab"]}, 2),
    ],
)
def test_only_what_can_be_applied_is_a_fix(tmp_path: Path, fix: dict[str, Any], changes: int) -> None:
    (result,) = run_of(document(finding(fix={"message": "do it", **fix})), tmp_path)["results"]
    made = result.get("fixes", [{"artifactChanges": []}])[0]
    assert len(made["artifactChanges"]) == changes
    assert made.get("description", {"text": "do it (unsafe)"}) == {"text": "do it (unsafe)"}


def uris(folder: Path, *names: str) -> list[dict[str, str]]:
    made = document(*(finding(**place(name, 1, 1, 2)) for name in names))
    return [
        result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run_of(made, folder)["results"]
    ]


def test_names_are_relative_to_the_repository_and_encoded(tmp_path: Path) -> None:
    (tmp_path / "repo" / "sub").mkdir(parents=True)
    folder = tmp_path / "repo" / "sub"
    names = ("a b/ü%#?.py", "x:y.py", "../up.py", os.fsdecode(b"\xff.py"))
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert [one["uri"] for one in uris(folder, *names)] == [
        "sub/a%20b/%C3%BC%25%23%3F.py", "sub/x%3Ay.py", "up.py", "sub/%FF.py"
    ]  # fmt: skip
    assert {one["uriBaseId"] for one in uris(folder, *names)} == {"%SRCROOT%"}
    (outside,) = uris(folder, "../../out side.py")
    assert outside == {"uri": f"{tmp_path.as_uri()}/out%20side.py"}


def test_outside_of_repositories_names_are_relative_to_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exists = os.path.exists
    monkeypatch.setattr("os.path.exists", lambda path: not str(path).endswith(".git") and exists(path))
    assert [one["uri"] for one in uris(tmp_path, "a.py")] == ["a.py"]


def test_archives_have_no_lines(tmp_path: Path) -> None:
    (result,) = run_of(document(finding(**place("net.pt2", 1, 1, 1))), tmp_path)["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical == {"artifactLocation": {"uri": "net.pt2", "uriBaseId": "%SRCROOT%"}}


def test_a_file_in_an_archive_is_a_logical_location(tmp_path: Path) -> None:
    inside = {"member": "net/data/aotinductor/model/c.wrapper.cpp", "row": 9}
    item = finding(**place("net.pt2", 1, 1, 1), inside=inside, label="the printer")
    (result,) = run_of(document(item), tmp_path)["results"]
    (logical,) = result["locations"][0]["logicalLocations"]
    assert logical["fullyQualifiedName"] == inside["member"]
    assert "\nlook in net/data/aotinductor/model/c.wrapper.cpp:9: the printer\n" in result["message"]["text"]


def notebook(source: list[str] | str) -> str:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "text"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def test_a_notebook_has_the_lines_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["import torch\n", "\n", "path = torch._export.aot_compile(torch.nn.ReLU(), (torch.ones(2),))"]
    report = checked(tmp_path, notes_ipynb=notebook(lines))
    (result,) = run_of(report.document, tmp_path, report.line)["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == region["endLine"]
    text = (tmp_path / "notes.ipynb").read_text(encoding="utf-8").split("\n")[region["startLine"] - 1]
    assert text.strip().startswith('"path = torch._export.aot_compile(')
    assert "startColumn" not in region
    assert result["message"]["text"].startswith("cell 2, line 3: ")
    (tmp_path / "notes.ipynb").unlink()
    (result,) = run_of(report.document, tmp_path, Lines())["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]


def test_what_was_not_read_or_analysed_is_told_of_the_run(tmp_path: Path) -> None:
    errors = [
        {"filename": "x.py", "message": "invalid syntax", "location": {"row": 2, "column": 5}, "cell": None},
        {"filename": "y.py", "message": "not valid utf-8", "location": None, "cell": None},
    ]
    skipped = [{"filename": "big.py", "reason": "larger than 2 MB"}]
    run = run_of(document(errors=errors, skipped=skipped, notes=["a.py: too large"]), tmp_path)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    told = [(one["level"], one["message"]["text"]) for one in invocation["toolExecutionNotifications"]]
    assert told == [
        ("error", "x.py: invalid syntax"), ("error", "y.py: not valid utf-8"),
        ("note", "big.py: not checked: larger than 2 MB"), ("note", "a.py: too large"),
    ]  # fmt: skip
    (told_of,) = run["tool"]["driver"]["notifications"]
    assert (told_of["id"], told_of["name"]) == ("AOTI002", "unreadable-file")
    assert "What happens:" in told_of["help"]["text"]
    assert run_of(document(), tmp_path)["invocations"][0]["executionSuccessful"] is True
