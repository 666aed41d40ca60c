"""The same for `reviewdog -f=rdjsonl`: a `Diagnostic` a line."""

from __future__ import annotations

from aoti_lint.quoting.json import lines
from aoti_lint.report.check.formats.rdjson import BEGINS, diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

__all__ = ["BEGINS", "write"]


def write(told: Told, output: Output) -> None:
    """Write the lines; nothing where nothing was found."""
    made = list(diagnostics(told))
    if made:
        output.document(lines(made))
