"""What reviewdog reads (`-f=rdjson`): the `DiagnosticResult` of its Reviewdog Diagnostic Format.

Its columns count bytes of UTF-8. A fix is a suggestion where it is one edit of the file itself: reviewdog offers each
suggestion alone.
"""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.json import document
from aoti_lint.quoting.terminal import printable
from aoti_lint.report.check.told import edits, plain, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(rb'\{\s*"source": \{\s*"name": "aoti-lint"')
SOURCE = {"name": "aoti-lint"}


def diagnostics(told: Told) -> Iterator[dict[str, Any]]:
    """A `Diagnostic` for each finding."""
    for item in told.findings():
        code = {"value": item["code"], **({"url": item["url"]} if item["url"] else {})}
        related = [{"message": printable(one["message"]), "location": _location(told, one)} for one in item["related"]]
        suggestions = _suggestions(told, item)
        yield {
            "source": SOURCE,
            "message": said(item, related=False),
            "location": _location(told, item),
            "severity": item["severity"].upper(),
            "code": code,
            **({"suggestions": suggestions} if suggestions else {}),
            **({"related_locations": related} if related else {}),
        }


def _location(told: Told, place: dict[str, Any]) -> dict[str, Any]:
    # reviewdog takes paths as relative to the folder that it runs in.
    made: dict[str, Any] = {"path": plain(place["filename"])}
    range_ = _range(told, place)
    return made if range_ is None else {**made, "range": range_}


def _range(told: Told, place: dict[str, Any]) -> dict[str, Any] | None:
    region = told.region(place)
    if region is None:
        return None
    ends = [(region.row, region.column), (region.end_row, region.end_column)]
    columns = [told.bytes_to(place, row, column) for row, column in ends]
    if None in columns:
        return {"start": {"line": region.row}, "end": {"line": region.end_row}}
    start, end = ({"line": row, "column": column} for (row, _), column in zip(ends, columns, strict=True))
    return {"start": start, "end": end}


def _suggestions(told: Told, item: dict[str, Any]) -> list[dict[str, Any]]:
    wanted = edits(item)
    if len(wanted) != 1 or wanted[0]["filename"] != item["filename"]:
        return []
    range_ = _range(told, wanted[0])
    if range_ is None or "column" not in range_["start"]:
        return []
    return [{"range": range_, "text": plain(wanted[0]["content"])}]


def write(told: Told, output: Output) -> None:
    """Write the result."""
    output.document(document({"source": SOURCE, "diagnostics": list(diagnostics(told))}))
