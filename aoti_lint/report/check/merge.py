"""Several reports of `check` as one: those of all shards of a run, or of runs over different folders."""

from __future__ import annotations

from aoti_lint.report.check.upgrade import upgrade
from aoti_lint.report.document import empty_document, summarise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_ADDED = (
    "files", "analysed", "copies", "quiet", "context", "held_back", "suppressed", "baselined", "baseline_gone",
)  # fmt: skip
"""The counts of a summary that are those of all reports together."""


class Unlike(ValueError):
    """Reports that do not make one; the message is for people."""


def merged(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The document of all of them: what several tell stands there once. Raises `Unlike`."""
    _of_one_run(reports)
    document = empty_document()
    document["version"] = _same("version of aoti-lint", [one["version"] for one in reports])
    judged = [one["torch"] for one in reports if one["torch"]["versions"]]
    if judged:
        versions = _same("versions of torch", [one["versions"] for one in judged])
        below = _once([each for one in judged for each in one["below"]], "folder", "versions", "origin")
        document["torch"] = {"versions": versions, "origin": judged[0]["origin"], "below": below}
    told = [each for one in reports for each in one["diagnostics"]]
    place = ("filename", "cell", "location", "end_location")
    document["diagnostics"] = sorted(_once(told, "fingerprint", "code", "message", *place), key=_place)
    document["errors"] = _once([each for one in reports for each in one["errors"]], "filename", "message", "location")
    document["skipped"] = _once([each for one in reports for each in one["skipped"]], "filename", "reason")
    summary = document["summary"]
    for name in _ADDED:
        summary[name] = sum(one["summary"][name] for one in reports)
    summary["notes"] = list(dict.fromkeys(note for one in reports for note in one["summary"]["notes"]))
    summarise(document)
    if any(one["upgrade"] for one in reports):
        document["upgrade"] = upgrade(document["diagnostics"], document["torch"]["versions"])
    return document


def _of_one_run(reports: Sequence[dict[str, Any]]) -> None:
    """Raise `Unlike` where some are shards of a run, and not all of its shards are there, each once."""
    shards = [one.get("shard") for one in reports]
    if not any(shards):
        return
    if None in shards:
        raise Unlike("some are reports of shards, and some of whole runs")
    count = _same("numbers of shards", [one["of"] for one in shards if one])
    there = sorted(one["number"] for one in shards if one)
    for number in range(1, count + 1):
        if there.count(number) != 1:
            raise Unlike(f"shard {number} of {count} is {'there twice' if number in there else 'missing'}")


def _same(what: str, values: Sequence[Any]) -> Any:
    for value in values:
        if value != values[0]:
            raise Unlike(f"they are of different {what}: {_text(values[0])} and {_text(value)}")
    return values[0]


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _once(items: Sequence[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """The items that differ in any of these keys, each the first of its kind."""
    return list({repr([item[key] for key in keys]): item for item in reversed(items)}.values())[::-1]


def _place(item: dict[str, Any]) -> tuple[object, ...]:
    """What findings are sorted by."""
    ends = [item[end][part] for end in ("location", "end_location") for part in ("row", "column")]
    return item["filename"], item["cell"] or 0, *ends, item["code"], item["message"]
