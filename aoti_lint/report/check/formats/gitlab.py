"""What GitLab shows as Code Quality: an artifact of a job, `reports: codequality`.

GitLab takes of two entries with one fingerprint only the first, so no two have the same.
"""

from __future__ import annotations

from aoti_lint.files.cache import content_hash
from aoti_lint.files.writer import encoded
from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.json import Json, document
from aoti_lint.report.check.told import plain, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

_NOTHING = Json("[\n\n]")
"""No entries. Other tools write an empty list, too, and by its empty line this one is known as ours."""
BEGINS = regex(rb'\[\n\n\]|\[\s*\{\s*"engine_name": "aoti-lint"')
_SEVERITIES = {"error": "critical", "warning": "major", "info": "info"}


def gitlab(told: Told) -> list[dict[str, Any]]:
    """One entry for each finding. GitLab shows a description as one paragraph."""
    made: list[dict[str, Any]] = []
    taken: set[str] = set()
    for item in told.findings():
        region = told.region(item)
        lines = {"begin": 1} if region is None else {"begin": region.row, "end": region.end_row}
        made.append(
            {
                "engine_name": "aoti-lint",
                "check_name": item["code"],
                "description": "; ".join(said(item, related=True, code=False).split("\n")),
                "severity": _SEVERITIES[item["severity"]],
                "fingerprint": _own(item, taken),
                "location": {"path": plain(told.in_repository(item["filename"])), "lines": lines},
            }
        )
    return made


def _own(item: dict[str, Any], taken: set[str]) -> str:
    """A fingerprint that nothing else in the report has, the same in each run."""
    found: str = item["fingerprint"]
    while found in taken or not found:
        found = content_hash(encoded("\0".join((found, item["filename"], item["message"]))), 8)
    taken.add(found)
    return found


def write(told: Told, output: Output) -> None:
    """Write the list of all entries."""
    entries = gitlab(told)
    output.document(document(entries) if entries else _NOTHING)
