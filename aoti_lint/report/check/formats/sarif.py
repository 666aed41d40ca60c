"""SARIF 2.1.0, which GitHub code scanning, Azure DevOps, editors and others read.

What comments suppress is not in it: GitHub shows suppressed results as open alerts. Columns count code points, as in
the document, and the log says so. A finding in an archive is about the file as a whole, with the file inside it as a
logical location; one in a notebook is about the line of the file itself.
"""

from __future__ import annotations

import os
from urllib.parse import quote

from aoti_lint.called import CALLED
from aoti_lint.files.writer import encoded
from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.json import document
from aoti_lint.quoting.terminal import printable
from aoti_lint.report.check.told import UNREAD, edits, plain, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(
    rb'\{\s*"\$schema": "[^"]*sarif[^"]*",\s*"version": "2\.1\.0",\s*"runs": \[\s*\{\s*"tool": \{\s*"driver": \{'
    rb'\s*"name": "aoti-lint"'
)
SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT: Final = "%SRCROOT%"
LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_RECOMMENDED: Final = {"error": "error", "warning": "warning", "info": "recommendation"}
"""GitHub's words for the same."""
_LINK: Final = regex(r"\](?=\()")


def sarif(told: Told) -> dict[str, Any]:
    """The log, of one run."""
    report = told.document
    found = {item["code"]: item for item in report["diagnostics"]}
    codes = sorted(found)
    driver: dict[str, Any] = {"name": "aoti-lint", "version": report["version"]}
    driver["rules"] = [_rule(told, found[code]) for code in codes]
    if report["errors"]:
        driver["notifications"] = [_rule(told, next(told.unread()))]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {
            ROOT: {"description": _message("the root of the repository; outside of one, the folder of the run")}
        },
        "invocations": [{"executionSuccessful": not report["errors"], "toolExecutionNotifications": _problems(told)}],
        "results": [_result(told, item, codes.index(item["code"])) for item in report["diagnostics"]],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(told: Told, finding: dict[str, Any]) -> dict[str, Any]:
    """What there is to say of the rule of a finding. GitHub asks for a description and help of each."""
    code, name = finding["code"], finding["name"]
    made: dict[str, Any] = {"id": code, "name": name}
    if finding["url"]:
        made["helpUri"] = finding["url"]
    about = told.about(code)
    if about is None:
        more = {"text": f"More about it: aoti-lint explain {code}"}
        return {**made, "shortDescription": {"text": name}, "fullDescription": {"text": name}, "help": more}
    return {
        **made,
        "shortDescription": {"text": about.first},
        "fullDescription": {"text": about.summary},
        "help": {"text": about.text, "markdown": about.markdown},
        "defaultConfiguration": {"level": LEVELS[about.severity]},
        "properties": {"tags": [about.family, about.outcome], "problem.severity": _RECOMMENDED[about.severity]},
    }


def _result(told: Told, finding: dict[str, Any], rule: int) -> dict[str, Any]:
    others = list(enumerate(finding["related"], start=1))
    related = [_location(told, other, other["message"], number) for number, other in others]
    # GitHub shows other places only where the message links to them; calls are steps of the flow.
    links = [f"see [{_escaped(one['message'])}]({number})" for number, one in others if one["message"] != CALLED]
    primary = _location(told, finding, finding["label"])
    if finding["inside"]:
        member = plain(finding["inside"]["member"])
        primary["logicalLocations"] = [{"fullyQualifiedName": member, "kind": "resource"}]
    made = {
        "ruleId": finding["code"],
        "ruleIndex": rule,
        "level": LEVELS[finding["severity"]],
        "message": {"text": "\n".join([_LINK.sub("] ", said(finding, related=False)), *links])},
        "locations": [primary],
        "partialFingerprints": {"aotiLint/v1": finding["fingerprint"]},
        "properties": {name: finding[name] for name in ("confidence", "outcome", "versions", "symptom")},
    }
    if related:
        made["relatedLocations"] = related
    chain = [_location(told, other, other["message"]) for other in finding["related"] if other["message"] == CALLED]
    if chain:
        made["codeFlows"] = [{"threadFlows": [{"locations": [{"location": one} for one in (*chain, primary)]}]}]
    changes = _changes(told, edits(finding))
    if changes:
        fix = finding["fix"]
        description = _message(f"{fix['message']} ({fix['applicability']})")
        made["fixes"] = [{"description": description, "artifactChanges": changes}]
    return made


def _changes(told: Told, wanted: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The edits by file."""
    by_file: dict[str, list[dict[str, Any]]] = {}
    for edit in wanted:
        replaced = {"deletedRegion": _region(told, edit), "insertedContent": {"text": plain(edit["content"])}}
        by_file.setdefault(edit["filename"], []).append(replaced)
    return [{"artifactLocation": _artifact(told, name), "replacements": made} for name, made in by_file.items()]


def _problems(told: Told) -> list[dict[str, Any]]:
    """The files that could not be read or parsed; as notes, those that were not checked and what was not analysed."""
    made: list[dict[str, Any]] = [
        {
            "descriptor": {"id": UNREAD, "index": 0},
            "level": "error",
            "message": _message(f"{item['filename']}: {item['message']}"),
            "locations": [_location(told, item, "")],
        }
        for item in told.unread()
    ]
    skipped = [f"{item['filename']}: not checked: {item['reason']}" for item in told.document["skipped"]]
    made += [{"level": "note", "message": _message(text)} for text in (*skipped, *told.document["summary"]["notes"])]
    return made


def _location(told: Told, place: dict[str, Any], text: str, number: int | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(told, place["filename"])}
    region = _region(told, place)
    if region is not None:
        physical["region"] = region
    made: dict[str, Any] = {} if number is None else {"id": number}
    made["physicalLocation"] = physical
    return {**made, "message": _message(text)} if text else made


def _region(told: Told, place: dict[str, Any]) -> dict[str, int] | None:
    region = told.region(place)
    if region is None:
        return None
    ends = {
        "startLine": region.row, "startColumn": region.column, "endLine": region.end_row,
        "endColumn": region.end_column,
    }  # fmt: skip
    return {name: value for name, value in ends.items() if value is not None}


def _artifact(told: Told, filename: str) -> dict[str, str]:
    name = told.in_repository(filename)
    if os.path.isabs(name):
        return {"uri": f"file://{'' if name.startswith('/') else '/'}{quote(encoded(name), safe='/:')}"}
    return {"uri": quote(encoded(name)), "uriBaseId": ROOT}


def _message(text: str) -> dict[str, str]:
    """A text in which nothing is a link."""
    return {"text": _LINK.sub("] ", printable(text))}


def _escaped(text: str) -> str:
    """A text between the brackets of a link."""
    return printable(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def write(told: Told, output: Output) -> None:
    """Write the log."""
    output.document(document(sarif(told)))
