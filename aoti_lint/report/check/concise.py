"""One line a finding, for editors and `grep`: `path:row:column: severity CODE name: message`.

`report/vscode-problem-matcher.json` reads these lines.
"""

from __future__ import annotations

from aoti_lint.quoting.terminal import line
from aoti_lint.report.check.notes import inside, where
from aoti_lint.report.columns import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.quoting.terminal import Shown


def concise_lines(document: dict[str, Any]) -> Iterator[Shown]:
    """Render a document (see `json_v1`), problems with files first."""
    yield from problem_lines(document)
    for item in document["diagnostics"]:
        member = f" ({inside(item)})" if item["inside"] else ""
        said = f": {item['severity']} {item['code']} {item['name']}: {joined(item['message'])}"
        yield line(where(item), said + member)


def problem_lines(document: dict[str, Any]) -> Iterator[Shown]:
    """The files that could not be read or parsed."""
    for problem in document["errors"]:
        start = problem["location"] or {"row": 1, "column": 1}
        place = where({**problem, "location": start})
        yield line(place, f": error AOTI002 unreadable-file: {joined(problem['message'])}")
