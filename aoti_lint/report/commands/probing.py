"""What `probe` found, for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.probe.finding import RULES
from aoti_lint.report.check.summary import count
from aoti_lint.report.columns import joined

if TYPE_CHECKING:
    from aoti_lint.probe.finding import Finding, Place
    from aoti_lint.probe.report import Probed, Report
    from aoti_lint.report.output import Output
    from aoti_lint.report.styled import Line

_LISTED = 12
"""Names in a line, before it is cut short."""


def print_report(output: Output, report: Report, *, everything: bool = False) -> None:
    """Print each operator with faults, what was not probed and why, and a summary."""
    for op in report.ops:
        if everything or op in report.failed:
            output.styled(_operator(op, everything))
            output.line()
    missed = [op for op in report.ops if op.status == "not probed"]
    if missed and not everything:
        output.line(("Not probed", "bold"))
        for op in missed:
            output.line(f"  {op.name}: ", (joined(_why(op)), "yellow"))
        output.line()
    for target, text in report.errors.items():
        output.line(("note: ", "bold"), joined(f"{target} was not imported to its end: {text}"))
    alone = [op.name for op in report.ops if op.status == "probed" and not op.compared]
    if alone:
        rest = f" and {len(alone) - _LISTED} more" if len(alone) > _LISTED else ""
        names = f"{', '.join(alone[:_LISTED])}{rest}"
        output.line(("note: ", "bold"), f"only the fakes of these ran, as their kernels did not: {names}")
    output.styled([_summary(report)])


def _operator(op: Probed, everything: bool) -> Iterator[Line]:
    where = f"  {_at(op.fake)}" if op.fake is not None else ""
    yield [(op.name, "bold"), (where, "dim")]
    for finding in sorted(op.findings, key=lambda finding: finding.level):
        if finding.level == "fault" or everything:
            yield from _finding(finding, op.fake)
    if op.status in ("crashed", "hung"):
        yield [("  ", ""), (f"{op.status}: {joined(op.error)}", "bold red")]
    if op.status == "not probed":
        yield [("  ", ""), ("not probed: ", "yellow"), (joined(_why(op)), "")]
    elif everything:
        against = f"compared with the kernel for {op.compared}" if op.compared else f"kernel not run: {op.kernel}"
        yield [(f"  inputs: {joined('; '.join(op.inputs))}; {joined(against)}", "dim")]


def _finding(finding: Finding, fake: Place | None) -> Iterator[Line]:
    style = "bold red" if finding.level == "fault" else "cyan"
    rule = f"[{finding.rule}] {RULES[finding.rule]}" if finding.rule in RULES else ""
    yield [("  ", ""), (f"{finding.level}{rule}", style), (": ", ""), (joined(finding.text), "")]
    if finding.place is not None and finding.place != fake:
        text = f"  {joined(finding.place.text)}" if finding.place.text else ""
        yield [("    ", ""), ("--> ", "blue"), (_at(finding.place), ""), (text, "dim")]
    if finding.inputs:
        yield [("    ", ""), (f"with {joined(finding.inputs)}", "dim")]


def _at(place: Place) -> str:
    path = os.path.relpath(place.file)
    return f"{place.file if path.startswith('..') else path}:{place.line}"


def _why(op: Probed) -> str:
    tried = f"none of {op.tried} inputs that were made up fits; the last one: " if op.tried else ""
    return f"{tried}{op.error or 'no reason is known'}"


def _summary(report: Report) -> Line:
    probed = sum(op.status == "probed" for op in report.ops)
    compared = sum(bool(op.compared) for op in report.ops)
    missed = sum(op.status == "not probed" for op in report.ops)
    faults = sum(len(op.faults) for op in report.ops)
    ended = sum(op.status in ("crashed", "hung") for op in report.ops)
    notes = sum(finding.level == "note" for op in report.ops for finding in op.findings)
    wrong = sum(bool(op.faults) for op in report.ops)
    rest = f"; probed {probed} of {count(len(report.ops), 'operator')}, compared {compared} with the kernel"
    rest += f"; {missed} not probed" if missed else ""
    rest += f"; {ended} crashed or hung" if ended else ""
    rest += f"; {count(notes, 'note')} (--all)" if notes else ""
    if faults:
        return [(f"{count(faults, 'fault')} in {count(wrong, 'operator')}", "bold red"), (rest, "")]
    return [("no fault", "bold green" if probed and not ended else "bold yellow"), (rest, "")]
