"""The report for people: a code frame for each finding, with every place that is part of the story, and a summary."""

from __future__ import annotations

from aoti_lint.report.check.summary import statistics_lines, summary_lines
from aoti_lint.report.styled import all_wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.report.check.page import LineOf
    from aoti_lint.report.styled import Line


def text_lines(
    document: dict[str, Any], line_of: LineOf, *, width: int, statistics: bool, quiet: bool = False,
    verbose: bool = False, folder: str | None = None,
) -> Iterator[Line]:  # fmt: skip
    """Render a document (see `json_v1`) as lines of styled segments, on a page of `width` columns.

    `quiet`: without what is said about all of it; `verbose`: with all of that. With a `folder`, the one that names of
    files are relative to, places are links to the files.
    """
    if document["errors"] or document["diagnostics"]:
        from aoti_lint.report.check.page import Page

        yield from Page(line_of, width, folder).lines(document)
    if document["upgrade"]:
        from aoti_lint.report.check.upgrade import upgrade_lines

        yield from all_wrapped(upgrade_lines(document), width, 2)
    if not quiet:
        yield from all_wrapped(summary_lines(document, statistics=statistics, verbose=verbose), width, 2)
    elif statistics:
        yield from statistics_lines(document)
