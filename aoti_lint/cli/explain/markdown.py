"""What `aoti-lint explain --output-format md` says: the entries of `explained` as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from aoti_lint.catalogue.markdown import code, fenced
from aoti_lint.report.check.told import UNREAD

_LANGUAGES = {"py": "python", "cpp": "cpp", "cu": "cuda", "sh": "sh", "yml": "yaml", "yaml": "yaml", "toml": "toml"}


def table(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The rules, one a row."""
    yield from ("| Code | Name | What it finds |", "| --- | --- | --- |")
    for entry in entries:
        summary = " ".join(entry["summary"].split()).replace("|", "\\|")
        yield f"| {entry['code']} | {entry['name']} | {summary} |"


def page(entry: dict[str, Any]) -> Iterator[str]:
    """The page of an entry."""
    if entry["kind"] == "rule":
        yield from _rule(entry)
    elif entry["kind"] == "name":
        yield from _name(entry)
    elif entry["kind"] == "setting":
        yield from (f"# {code(entry['name'])}", "", "*a setting of aoti-lint*", "", entry["does"])
        yield from ("", f"**Where:** {entry['where']}")
        yield from ("", f"**Option:** {entry['option']}") if entry["option"] else ()
    elif entry["kind"] == "message":
        yield from (f"# {code(entry['text'])}", "", f"A message of torch {entry['versions']}.")
        yield from _rules(entry)
    else:
        yield from (f"# {entry['title']}", "", entry["why"], "", f"**What to do:** {entry['fix']}")
        yield from _rules(entry)


def _rule(entry: dict[str, Any]) -> Iterator[str]:
    yield from (f"# {entry['code']} {entry['name']}", "", f"*{entry['severity']}; {entry['outcome']}*", "")
    yield from entry["summary"].splitlines()
    for heading, key in (("What happens", "what_happens"), ("Why", "why")):
        yield from _section(heading, entry[key])
    for heading, key in (("Bad", "bad"), ("Good", "good")):
        for example in entry[key]:
            yield from ("", f"## {heading}")
            if example["torch"]:
                yield from ("", f"With torch {example['torch']}:")
            if example["archives"]:
                yield from ("", f"Beside {', '.join(map(code, example['archives']))}:")
            for name, text in example["files"].items():
                if len(example["files"]) > 1 or not name.endswith(".py"):
                    yield from ("", f"{code(name)}:")
                yield from ("", *fenced(text, _LANGUAGES.get(name.rpartition(".")[2], "")))
    for heading, key in (("How to debug", "how_to_debug"), ("Sources", "sources")):
        yield from _section(heading, entry[key])
    if entry["code"] != UNREAD:
        yield from ("", f"To accept a finding: `# aoti-lint: ignore[{entry['code']}]`")


def _name(entry: dict[str, Any]) -> Iterator[str]:
    yield from (f"# {code(entry['name'])}", "", f"*{entry['what']}; {entry['there']}*", "", entry["does"])
    said = {
        "Read": entry["read"], "Matters for": entry["matters_for"], "Output": entry["output"],
        "Used by": entry["used_by"], "Known from": entry["source"], "See also": ", ".join(entry["see"]),
    }  # fmt: skip
    for heading, text in said.items():
        if text:
            yield from ("", f"**{heading}:** {text}")
    if entry["values"]:
        yield from ("", "## Values", "")
        yield from (f"- {code(value) if value else 'empty'}: {text}" for value, text in entry["values"].items())
    if entry["corrections"]:
        yield from ("", "## Where guides mislead", "")
        for one in entry["corrections"]:
            yield f"- They say: {one['said']} So it is: {one['really']} Proof: {one['proof']}"


def _section(heading: str, text: str) -> Iterator[str]:
    if text:
        yield from ("", f"## {heading}", "", *text.splitlines())


def _rules(entry: dict[str, Any]) -> Iterator[str]:
    if entry["rules"]:
        yield from ("", f"Found before the run by {', '.join(entry['rules'])}.")
    if entry.get("unseen"):
        yield from ("", f"No rule finds this before the run. {entry['unseen']}")
