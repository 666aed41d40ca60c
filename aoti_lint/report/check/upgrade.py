"""What breaks with which torch: the findings that hold for some of the target versions, by when they begin."""

from __future__ import annotations

from aoti_lint.report.check.summary import count
from aoti_lint.torch_api.versions import VersionSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from aoti_lint.report.styled import Line

MOST_PLACES = 4
"""Places listed for one rule and version; the JSON document has them all."""


def upgrade(diagnostics: Sequence[dict[str, Any]], minors: Sequence[str]) -> list[dict[str, Any]]:
    """The steps from one target version to the next that make findings begin or end, oldest first.

    `diagnostics` are those of the document; one that holds for all of `minors` (oldest first) is in no step. The first
    version begins what it has.
    """
    steps: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    partial = [(item, held(item["versions"])) for item in diagnostics if item["versions"]]
    for before, minor in zip([None, *minors], minors, strict=False):
        for item, versions in partial:
            was = before is not None and before in versions
            if was != (minor in versions):
                change = "ends" if was else "begins"
                steps.setdefault((minor, change, item["code"]), []).append(item)
    return [
        {
            "version": minor,
            "change": change,
            "code": code,
            "name": items[0]["name"],
            "count": len(items),
            "places": [{key: item[key] for key in ("filename", "location", "cell")} for item in items],
        }
        for (minor, change, code), items in sorted(steps.items(), key=lambda step: (minors.index(step[0][0]), step[0]))
    ]


def held(versions: Sequence[str]) -> VersionSet:
    """The versions that a finding says it holds for."""
    return VersionSet.parse("||".join(versions).replace(", ", "||").replace("\N{EN DASH}", ".."))


def upgrade_lines(document: dict[str, Any]) -> Iterator[Line]:
    """The steps of a document (see `json_v1`) as lines of styled segments; none if there are none."""
    steps = document["upgrade"]
    if not steps:
        return
    yield [("Upgrade: what breaks when", "message")]
    for step in steps:
        places = [f"{place['filename']}:{place['location']['row']}" for place in step["places"][:MOST_PLACES]]
        more = [f"{step['count'] - MOST_PLACES} more"] if step["count"] > MOST_PLACES else []
        what = "fails in" if step["change"] == "begins" else "no longer fails in"
        yield [
            (f"  torch {step['version']}: ", ""),
            (f"{step['code']} {step['name']}", "name"),
            (f" {what} {count(step['count'], 'place')}: {', '.join(places + more)}", ""),
        ]
    yield []
