"""The document in lines, each a JSON object with a `kind`: for `jq`, `grep` and what reads a report as it comes.

First a `run`, with what the document has beside its lists (`format`, `version`, `torch`, `summary`); then each `error`
(a file that could not be read or parsed), each `finding`, and each file that was `skipped`, with the fields that they
have in the document.
"""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.json import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(rb'\{"kind": "run", "format": "aoti-lint/')
_KINDS = (("error", "errors"), ("finding", "diagnostics"), ("skipped", "skipped"))
_ASIDE = ("upgrade", "coverage", *(name for _, name in _KINDS))
"""What the line of the run does without."""


def json_lines(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The objects, in the order of the lines."""
    yield {"kind": "run", **{name: value for name, value in document.items() if name not in _ASIDE}}
    for kind, name in _KINDS:
        for item in document[name]:
            yield {"kind": kind, **item}


def write(told: Told, output: Output) -> None:
    """Write the lines."""
    output.document(lines(json_lines(told.document)))
