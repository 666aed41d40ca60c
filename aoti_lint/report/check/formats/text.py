"""For people."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.report.check.text import text_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(
    rb"(?:error|warning|info)\[[A-Z]+\d+\]: "
    rb"|(?:No problems found|Nothing was checked)\.\r?\n|Found \d+ (?:error|warning|piece|file)"
    rb"| +\d+  [A-Z]+\d+  [\w-]+\r?\n"
)


def write(told: Told, output: Output) -> None:
    """Write what `report.check.text` makes of it."""
    made = text_lines(
        told.document, told.line, width=output.width, statistics=told.statistics, quiet=told.quiet,
        verbose=told.verbose, folder=told.folder if output.links else None,
    )  # fmt: skip
    output.styled(made)
    write_coverage(told, output)


def write_coverage(told: Told, output: Output) -> None:
    """Write what was known where something matters, if that was asked for."""
    if "coverage" in told.document:
        from aoti_lint.report.check.coverage import coverage_lines

        output.styled(coverage_lines(told.document["coverage"]))
