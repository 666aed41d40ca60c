"""Commands in the log of a job, which GitHub Actions shows as annotations of the files.

A finding in a notebook is shown at the line of the file itself; one in an archive has no line.
"""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.workflow import command, joined
from aoti_lint.report.check.told import said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final, Literal

    from aoti_lint.quoting.workflow import Workflow
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(rb"::(?:error|warning|notice) title=aoti-lint [A-Z]+\d+ ")
_LEVELS: Final[dict[str, Literal["error", "warning", "notice"]]] = {
    "error": "error", "warning": "warning", "info": "notice",
}  # fmt: skip


def commands(told: Told) -> Iterator[Workflow]:
    """One for each finding."""
    for item in told.findings():
        yield command(_LEVELS[item["severity"]], said(item, related=True), **_properties(told, item))


def _properties(told: Told, item: dict[str, Any]) -> dict[str, str | int | None]:
    title = f"aoti-lint {item['code']} {item['name']}"
    made: dict[str, str | int | None] = {"title": title, "file": told.in_repository(item["filename"])}
    region = told.region(item)
    if region is None:
        return made
    # GitHub takes no columns of what goes over several lines.
    one_line = region.row == region.end_row
    columns = {"col": region.column, "endColumn": region.end_column} if one_line else {}
    return {**made, "line": region.row, "endLine": region.end_row, **columns}


def write(told: Told, output: Output) -> None:
    """Write the commands; nothing where nothing was found."""
    made = list(commands(told))
    if made:
        output.document(joined(made))
