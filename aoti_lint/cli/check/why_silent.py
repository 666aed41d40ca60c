"""`--why-silent [FILE:]LINE`: what was known on a line and what was not, and what was found there but is not shown."""

from __future__ import annotations

import os
from collections.abc import Iterator

from aoti_lint.catalogue.registry import load
from aoti_lint.coverage.line import Line
from aoti_lint.engine.run import Run
from aoti_lint.errors import CannotRun
from aoti_lint.findings.findings import Findings
from aoti_lint.options import Options
from aoti_lint.report.output import Output


def run(options: Options, line: str) -> int:
    """Print what there is to say, one thing a line; gives the exit code."""
    options.pedantic = True
    analysis = Run(options)
    path, row = _place(analysis, line)
    with Output(None) as output:
        output.line(_named(analysis, path, row))
        for said in _said(analysis, path, row):
            output.line(f"  {said}")
    return 0


def _named(analysis: Run, path: str, row: int) -> str:
    """The line as a report names it: in a notebook with its cell."""
    source = analysis.project.source(path)
    cell = None if source is None else source.cell(row)
    return f"{analysis.name(path)}:{row}" if cell is None else f"{analysis.name(path)}:cell {cell[0]}:{cell[1]}"


def _place(analysis: Run, line: str) -> tuple[str, int]:
    """The path and the row of its source that `[FILE:]LINE` means; in a notebook `[FILE:]CELL:LINE`."""
    words = [word.removeprefix("cell ") for word in line.split(":")]
    numbers: list[int] = []
    while words and words[-1].isdecimal() and len(numbers) < 2:
        numbers.insert(0, int(words.pop()))
    name = ":".join(words)
    if not numbers:
        raise CannotRun(f"--why-silent: {line!r} is no line; write LINE or FILE:LINE, and CELL:LINE for notebooks")
    files = [*analysis.found.files, *analysis.found.settings]
    if name:
        files = [path for path in files if os.path.abspath(name) == os.path.join(analysis.found.root, path)]
    if len(files) != 1:
        problem = f"{name} is none of the files to check; name it, too" if name else "which file? Write FILE:LINE"
        raise CannotRun(f"--why-silent: {problem}")
    source = analysis.project.source(files[0])
    if source is None:
        raise CannotRun(f"--why-silent: {name or files[0]} cannot be read")
    row: int | None = numbers[-1]
    if len(numbers) == 2:
        row = None if source.notebook is None else source.notebook.row(numbers[0], numbers[1])
    if row is None or not 1 <= row <= source.lines.rows:
        raise CannotRun(f"--why-silent: there is no line {':'.join(map(str, numbers))} in {name or files[0]}")
    return files[0], row


def _said(analysis: Run, path: str, row: int) -> Iterator[str]:
    project = analysis.project
    if path not in (*project.reported, *project.telling, *analysis.found.settings):
        yield "the file was not analysed: nothing in it, or in what it imports, exports, compiles or loads a program"
        return
    facts = analysis.facts(analysis.target(), silences=True)
    project = analysis.project
    for problem in project.problems:
        if problem.path == path:
            yield f"the file was not analysed: {problem.message}"
            return
    findings = Findings(project, analysis.options, load())
    # Before the line is asked about: what rules leave out is noted, too.
    shown = [item for item in (*findings.of(facts), *findings.suppressed) if item.span.path == path]
    line = Line(facts, path, row, analysis.name)
    yield from line.text()
    found = [item for item in shown if line.has(item.span)]
    for item in found:
        held = " (suppressed by a comment)" if item in findings.suppressed else ""
        if analysis.standing is not None and item.fingerprint in analysis.standing.baseline.entries:
            held = " (in the baseline)"
        yield f"{item.code} {item.name}, {item.confidence.value}{held}: {item.message}"
    if line.complete and not found:
        yield "everything on this line was followed, and no rule has anything to say about it"
