"""What programs that take the formats find in them: the code, file and line of each finding."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes

from junitparser import JUnitXml, TestCase, TestSuite
from sarif_pydantic.sarif import Level, Notification, Sarif

from aoti_lint.report.check.formats import format_of
from aoti_lint.report.check.told import Told
from aoti_lint.report.lines import Lines
from aoti_lint.report.output import Output
from aoti_lint.source.discovery.discover import is_archive

Place: TypeAlias = tuple[str, str, "int | None"]


class Collected:
    """A place for a report that keeps what is written."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, content: bytes) -> None:
        self.data += content


def written(document: dict[str, Any], name: str, folder: Path, line: Lines | None = None, **more: Any) -> str:
    """The report in a format, as it stands in a file."""
    file = Collected()
    with Output(file) as output:  # type: ignore[arg-type]
        format_of(name).write(Told(document, line or Lines(), str(folder), **more), output)
    return file.data.decode("utf-8")


def of_json(text: str) -> list[Place]:
    document = json.loads(text)
    every = [
        *(("AOTI002", one) for one in document["errors"]),
        *((one["code"], one) for one in document["diagnostics"]),
    ]
    return [_row(code, item) for code, item in every]


def _row(code: str, item: dict[str, Any]) -> Place:
    nowhere = item["location"] is None or is_archive(item["filename"])
    return code, item["filename"], None if nowhere else item["location"]["row"]


def of_json_lines(text: str) -> list[Place]:
    entries = [json.loads(line) for line in text.splitlines()]
    assert entries[0]["kind"] == "run"
    return [_row(one.get("code", "AOTI002"), one) for one in entries if one["kind"] in ("error", "finding")]


def of_sarif(text: str) -> list[Place]:
    """As the models of `sarif-pydantic` read it."""
    (run,) = Sarif.model_validate_json(text).runs
    (invocation,) = run.invocations
    # Its model of an invocation lacks them.
    told = [
        Notification.model_validate(one)
        for one in json.loads(invocation.model_dump_json())["toolExecutionNotifications"]
    ]
    notes = [("AOTI002", one.locations[0]) for one in told if one.level is Level.ERROR]
    assert invocation.execution_successful is not bool(notes)
    for result in run.results or ():
        assert result.rule_id == run.tool.driver.rules[result.rule_index].id
        assert len(result.locations) == 1
        notes.append((result.rule_id, result.locations[0]))
    found: list[Place] = []
    for code, location in notes:
        place = location.physical_location
        assert place.artifact_location.uri_base_id == "%SRCROOT%"
        uri = unquote_to_bytes(place.artifact_location.uri).decode("utf-8", "surrogateescape")
        found.append((code, uri, None if place.region is None else place.region.start_line))
    return found


def commands(log: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """The commands in a log as GitHub's runner takes them: name, properties, message.

    After `ActionCommand.cs` of actions/runner: a line that begins with `::`, after blanks, is one up to the next `::`;
    the properties are parted at `,`, name and value at the first `=`, and `%` is unescaped last.
    """
    for line in log.splitlines():
        found = re.match(r"\s*::(error|warning|notice)(?: (.*?))?::(.*)", line)
        if found is not None:
            pairs = [pair.split("=", 1) for pair in (found[2] or "").strip().split(",")]
            properties = {name: _unescaped(value, ":,") for name, value in pairs}
            yield found[1], properties, _unescaped(found[3], "")


def _unescaped(text: str, more: str) -> str:
    for char in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(char):02X}", char)
    return text


def of_github(text: str) -> list[Place]:
    assert len(list(commands(text))) == len(text.splitlines())
    found: list[Place] = []
    for _, properties, message in commands(text):
        assert message
        line = properties.get("line")
        found.append((properties["title"].split()[1], properties["file"], None if line is None else int(line)))
    return found


def of_gitlab(text: str) -> list[Place]:
    """By the fields that GitLab documents."""
    entries = json.loads(text)
    assert len({one["fingerprint"] for one in entries}) == len(entries)
    found: list[Place] = []
    for one in entries:
        assert one["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert one["description"]
        path, lines = one["location"]["path"], one["location"]["lines"]
        assert not path.startswith((".", "/"))
        assert lines["begin"] <= lines.get("end", lines["begin"])
        found.append((one["check_name"], path, None if "end" not in lines else lines["begin"]))
    return found


def of_junit(text: str) -> list[Place]:
    """As `junitparser` reads it."""
    report = JUnitXml.fromstring(text.encode())
    suites = [one for one in report if isinstance(one, TestSuite)]
    cases = [case for suite in suites for case in suite if isinstance(case, TestCase)]
    assert report.tests == sum(suite.tests for suite in suites) == len(cases) > 0
    unlike = [one for case in cases for one in case.result]
    assert report.failures + report.errors == len(unlike)
    assert len({(case.classname, case.name) for case in cases}) == len(cases)
    return [_of_case(case) for case in cases if case.name != "no findings"]


def _of_case(case: TestCase) -> Place:
    line = case._elem.get("line")
    return str(case.name).split()[0], str(case._elem.get("file")), None if line is None else int(line)


def of_rdjson(text: str) -> list[Place]:
    return [_of_rdf(one) for one in json.loads(text)["diagnostics"]]


def of_rdjsonl(text: str) -> list[Place]:
    return [_of_rdf(json.loads(line)) for line in text.splitlines()]


def _of_rdf(one: dict[str, Any]) -> Place:
    location = one["location"]
    assert one["severity"] in ("ERROR", "WARNING", "INFO")
    return one["code"]["value"], location["path"], location["range"]["start"]["line"] if "range" in location else None


class _Articles(HTMLParser):
    """Every finding of a page; it runs only what the policy names, and loads nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Place] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not {key for key in given if key == "src" or key.startswith("on")}
        assert tag not in ("img", "iframe", "link", "object", "embed")
        assert (given.get("href") or "#").startswith(("#", "https://"))
        self.scripts += tag == "script"
        if tag == "article":
            row = given.get("data-row")
            self.found.append((str(given["data-code"]), str(given["data-file"]), None if row is None else int(row)))


def of_html(text: str) -> list[Place]:
    page = _Articles()
    page.feed(text)
    assert page.scripts == 1
    assert "default-src &#x27;none&#x27;" in text
    return page.found


READERS: dict[str, Callable[[str], list[Place]]] = {
    "json": of_json, "json-lines": of_json_lines, "sarif": of_sarif, "github": of_github, "gitlab": of_gitlab,
    "html": of_html, "junit": of_junit, "rdjson": of_rdjson, "rdjsonl": of_rdjsonl,
}  # fmt: skip
