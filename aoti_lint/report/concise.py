"""One line a finding, for editors and `grep`: `path:row:column: severity CODE name: message`.

`vscode-problem-matcher.json` beside this module reads these lines.
"""

from __future__ import annotations

from aoti_lint.report.text import where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def concise_lines(document: dict[str, Any]) -> Iterator[str]:
    """Render a document (see `json_v1`), problems with files first."""
    for problem in document["errors"]:
        start = problem["location"] or {"row": 1, "column": 1}
        place = where({**problem, "location": start})
        yield _line(f"{place}: error AOTI002 syntax-error: {problem['message']}")
    for item in document["diagnostics"]:
        yield _line(f"{where(item)}: {item['severity']} {item['code']} {item['name']}: {item['message']}")


def _line(text: str) -> str:
    return " ".join(text.splitlines())
