"""What `aoti-lint explain --output-format json` says of a rule, a name, a message or a cause; see `report.schemas`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aoti_lint.catalogue.rule_docs import Example, read
from aoti_lint.catalogue.site import page_of
from aoti_lint.cli.explain.own_settings import Setting
from aoti_lint.rule import Rule
from aoti_lint.torch_api.guide.row import Row
from aoti_lint.torch_api.messages import Message, versions
from aoti_lint.triage.cause import Cause

FORMAT = "aoti-lint-explain/1"


def document(entries: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The document of these entries."""
    return {"format": FORMAT, "entries": [*entries]}


def entry(found: Rule | Row | Message | Cause | Setting, used: str) -> dict[str, Any]:
    """One entry. `used` says who uses the name of a row."""
    if isinstance(found, Rule):
        return _rule(found)
    if isinstance(found, Row):
        return _name(found, used)
    if isinstance(found, Setting):
        return {
            "kind": "setting", "name": found.name, "does": found.does, "where": found.where, "option": found.option,
        }  # fmt: skip
    if isinstance(found, Message):
        return {
            "kind": "message", "text": found.text.strip(), "versions": str(versions(found)), "rules": [*found.rules],
        }  # fmt: skip
    return {
        "kind": "cause", "name": found.name, "title": found.title, "why": found.why, "fix": found.fix,
        "rules": [*found.rules], "unseen": found.unseen,
    }  # fmt: skip


def _rule(rule: Rule) -> dict[str, Any]:
    doc = read(type(rule).__doc__ or "")
    return {
        "kind": "rule",
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "outcome": rule.outcome.value,
        "summary": doc.summary,
        "what_happens": doc.prose.get("What happens", ""),
        "why": doc.prose.get("Why", ""),
        "bad": [*map(_example, doc.bad)],
        "good": [*map(_example, doc.good)],
        "how_to_debug": doc.prose.get("How to debug", ""),
        "sources": doc.prose.get("Sources", ""),
        "url": page_of(rule),
    }


def _example(example: Example) -> dict[str, Any]:
    return {"files": example.files, "archives": example.archives, "torch": example.torch}


def _name(row: Row, used: str) -> dict[str, Any]:
    return {
        "kind": "name",
        "name": row.name,
        "what": row.kind.one,
        "there": row.there,
        "does": row.does,
        "read": None if row.moment is None else f"{row.moment.value}. {row.moment.note}".rstrip(),
        "matters_for": row.matters_for if row.phases else "",
        "output": row.output,
        "values": dict(row.values),
        "corrections": [{"said": one.said, "really": one.really, "proof": one.proof} for one in row.corrections],
        "used_by": used,
        "source": row.source,
        "see": [*row.see],
    }
