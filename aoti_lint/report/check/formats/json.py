"""The document itself; `json_v1` is its schema."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.json import document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(rb'\{\s*"format": "aoti-lint/')


def write(told: Told, output: Output) -> None:
    """Write the document."""
    output.document(document(told.document))
