"""For editors and `grep`."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.report.check.concise import concise_lines
from aoti_lint.report.check.formats.text import write_coverage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

BEGINS = regex(
    rb"[^\r\n]*:\d+:\d+: (?:error|warning|info) [A-Z]+\d+ [\w-]+: "
    rb"|\r?\n(?:Coverage: the places that matter|Nothing (?:that could be read )?exports, compiles, loads)"
)


def write(told: Told, output: Output) -> None:
    """Write what `report.check.concise` makes of it."""
    for each in concise_lines(told.document):
        output.line(each)
    if told.statistics:
        from aoti_lint.report.check.summary import statistics_lines

        output.styled(statistics_lines(told.document))
    write_coverage(told, output)
