"""`aoti-lint check --write-baseline`: what is found today stood already, from now on."""

from __future__ import annotations

from argparse import Namespace

from aoti_lint.cli.shared.progress import Progress
from aoti_lint.engine.check import check
from aoti_lint.errors import CannotRun
from aoti_lint.files.writer import Target
from aoti_lint.findings.baseline import is_baseline, read, written
from aoti_lint.options import Options
from aoti_lint.quoting.terminal import tell
from aoti_lint.report.check.concise import problem_lines
from aoti_lint.report.check.summary import count
from aoti_lint.report.output import Output

ALONE = ("watch", "shard", "profile", "output_file", "output_format", "coverage", "add_ignores")
"""What does not go with it."""


def run(options: Options, arguments: Namespace) -> int:
    """Write the baseline, and say what changed in it; gives the exit code.

    Entries of files that are not looked at stay.
    """
    other = next((name for name in ALONE if getattr(arguments, name)), None)
    if other is not None or options.stdin is not None:
        other = f"--{other.replace('_', '-')}" if other is not None else "standard input"
        raise CannotRun(f"--write-baseline cannot be combined with {other}")
    if options.baseline is None:
        raise CannotRun("--write-baseline: say where, with --baseline FILE or `baseline` in the configuration")
    read(options.baseline)
    target = Target(options.baseline, is_baseline, inputs=arguments.paths)
    report = check(options, Progress)
    target.inputs += report.files
    standing, summary = report.standing, report.document["summary"]
    assert standing is not None
    target.write(written(standing.entries))
    for each in problem_lines(report.document):
        tell(each)
    new = len(report.document["diagnostics"])
    with Output(None) as output:
        changes = f"{new} new, {summary['baseline_gone']} gone"
        output.line(f"{report.name(options.baseline)}: {count(len(standing.entries), 'finding')} ({changes})")
    return 2 if report.document["errors"] else 0
