"""A report of tests, as Jenkins, GitLab and others show it: a suite for each file, a failed test for each finding.

What is only advice is a test that passes and says so. A run without findings is one test that passes: an empty report
is taken for a job that did not run.
"""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.html import el, joined, xml
from aoti_lint.report.check.told import UNREAD, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from aoti_lint.quoting.html import Html
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(rb'<\?xml version="1\.0" encoding="UTF-8"\?>\s*<testsuites name="aoti-lint"')


def junit(told: Told) -> Html:
    """The element `testsuites`."""
    by_file: dict[str, list[dict[str, Any]]] = {}
    for item in told.findings():
        by_file.setdefault(item["filename"], []).append(item)
    suites = [_suite(told, filename, items) for filename, items in by_file.items()]
    if not suites:
        passed = el("testcase", name="no findings", classname="aoti-lint", time=0)
        suites = [el("testsuite", passed, name="aoti-lint", time=0, **_counts([]))]
    return el("testsuites", joined(suites, "\n"), name="aoti-lint", time=0, **_counts(list(told.findings())))


def _counts(items: list[dict[str, Any]]) -> dict[str, int]:
    kinds = [_kind(item) for item in items]
    return {"tests": len(items) or 1, "failures": kinds.count("failure"), "errors": kinds.count("error")}


def _kind(item: dict[str, Any]) -> str:
    if item["severity"] == "info":
        return "system-out"
    return "error" if item["code"] == UNREAD else "failure"


def _suite(told: Told, filename: str, items: list[dict[str, Any]]) -> Html:
    taken: dict[str, int] = {}
    cases = [_case(told, item, taken) for item in items]
    return el("testsuite", joined(cases, "\n"), name=filename, time=0, **_counts(items))


def _case(told: Told, item: dict[str, Any], taken: dict[str, int]) -> Html:
    region = told.region(item)
    name = f"{item['code']} {item['name']}" + ("" if region is None else f" in line {region.row}")
    # Readers know a test by its names.
    taken[name] = taken.get(name, 0) + 1
    if taken[name] > 1:
        name += f", {taken[name]}"
    text = said(item, related=True)
    attributes = {} if item["severity"] == "info" else {"message": item["message"], "type": item["severity"]}
    return el(
        "testcase", el(_kind(item), text, **attributes), name=name, classname=item["filename"], time=0,
        file=told.in_repository(item["filename"]), line=None if region is None else region.row,
    )  # fmt: skip


def write(told: Told, output: Output) -> None:
    """Write the report."""
    output.document(xml(junit(told)))
