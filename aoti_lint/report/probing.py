"""What `probe` found, for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from aoti_lint.probe.finding import RULES
from aoti_lint.report.columns import shown

if TYPE_CHECKING:
    from rich.console import Console

    from aoti_lint.probe.finding import Finding, Place
    from aoti_lint.probe.report import Probed, Report

_LISTED = 12
"""Names in a line, before it is cut short."""


def print_report(console: Console, report: Report, *, everything: bool = False) -> None:
    """Print each operator with faults, what was not probed and why, and a summary."""
    for op in report.ops:
        if everything or op in report.failed:
            for line in _operator(op, everything):
                console.print(line, soft_wrap=True)
            console.print()
    missed = [op for op in report.ops if op.status == "not probed"]
    if missed and not everything:
        console.print(Text("Not probed", "bold"))
        for op in missed:
            console.print(Text.assemble(f"  {op.name}: ", (_clean(_why(op)), "yellow")), soft_wrap=True)
        console.print()
    for target, text in report.errors.items():
        console.print(Text.assemble(("note: ", "bold"), _clean(f"{target} was not imported to its end: {text}")),
                      soft_wrap=True)  # fmt: skip
    alone = [op.name for op in report.ops if op.status == "probed" and not op.compared]
    if alone:
        rest = f" and {len(alone) - _LISTED} more" if len(alone) > _LISTED else ""
        console.print(Text.assemble(("note: ", "bold"), "only the fakes of these ran, as their kernels did not: "
                                    f"{', '.join(alone[:_LISTED])}{rest}"), soft_wrap=True)  # fmt: skip
    console.print(_summary(report), soft_wrap=True)


def _operator(op: Probed, everything: bool) -> Iterator[Text]:
    where = f"  {_at(op.fake)}" if op.fake is not None else ""
    yield Text.assemble((op.name, "bold"), (where, "dim"))
    for finding in sorted(op.findings, key=lambda finding: finding.level):
        if finding.level == "fault" or everything:
            yield from _finding(finding, op.fake)
    if op.status in ("crashed", "hung"):
        yield Text.assemble("  ", (f"{op.status}: {_clean(op.error)}", "bold red"))
    if op.status == "not probed":
        yield Text.assemble("  ", ("not probed: ", "yellow"), _clean(_why(op)))
    elif everything:
        against = f"compared with the kernel for {op.compared}" if op.compared else f"kernel not run: {op.kernel}"
        yield Text(f"  inputs: {_clean('; '.join(op.inputs))}; {_clean(against)}", "dim")


def _finding(finding: Finding, fake: Place | None) -> Iterator[Text]:
    style = "bold red" if finding.level == "fault" else "cyan"
    rule = f"[{finding.rule}] {RULES[finding.rule]}" if finding.rule in RULES else ""
    yield Text.assemble("  ", (f"{finding.level}{rule}", style), ": ", _clean(finding.text))
    if finding.place is not None and finding.place != fake:
        text = f"  {_clean(finding.place.text)}" if finding.place.text else ""
        yield Text.assemble("    ", ("--> ", "blue"), f"{_at(finding.place)}", (text, "dim"))
    if finding.inputs:
        yield Text.assemble("    ", (f"with {_clean(finding.inputs)}", "dim"))


def _at(place: Place) -> str:
    path = os.path.relpath(place.file)
    return f"{place.file if path.startswith('..') else path}:{place.line}"


def _why(op: Probed) -> str:
    tried = f"none of {op.tried} inputs that were made up fits; the last one: " if op.tried else ""
    return f"{tried}{op.error or 'no reason is known'}"


def _clean(text: str) -> str:
    return " ".join(shown(line)[0] for line in text.splitlines())


def _summary(report: Report) -> Text:
    probed = sum(op.status == "probed" for op in report.ops)
    compared = sum(bool(op.compared) for op in report.ops)
    missed = sum(op.status == "not probed" for op in report.ops)
    faults = sum(len(op.faults) for op in report.ops)
    ended = sum(op.status in ("crashed", "hung") for op in report.ops)
    notes = sum(finding.level == "note" for op in report.ops for finding in op.findings)
    rest = f" in {probed} of {len(report.ops)} operators, {compared} of them against their kernels"
    rest += f"; {missed} not probed" if missed else ""
    rest += f"; {ended} crashed or hung" if ended else ""
    rest += f"; {notes} note{'s' if notes != 1 else ''} (--all)" if notes else ""
    if faults:
        return Text.assemble((f"{faults} fault{'s' if faults != 1 else ''}", "bold red"), rest)
    return Text.assemble(("no fault", "bold green" if probed and not ended else "bold yellow"), rest)
