"""What `verify` found, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from aoti_lint.program.verify.cases import KINDS, Kind
from aoti_lint.report.columns import shown

if TYPE_CHECKING:
    from rich.console import Console

    from aoti_lint.program.verify.report import Failure, Ran, Report

_ABOUT: dict[Kind, str] = {
    "example": "the exported sizes",
    "size": "other sizes",
    "empty": "no elements",
    "layout": "offset in memory",
    "values": "special values",
    "repeat": "several calls",
    "scalar": "other Python values",
    "outside": "beyond the contract",
}
_SHORT = {
    "both raise": "both raise",
    "rejected": "the program's guards refuse it",
    "raises": "raises where the reference returns",
    "accepts": "returns where the reference raises",
    "random": "gives something else each time",
}


def print_report(console: Console, report: Report, *, everything: bool = False) -> None:
    """Print the table of cases, the failures with code that shows them, and what happens beyond the contract."""
    against = " against the ".join(f"{role}" for role in reversed(report.compared))
    console.print(Text.assemble((report.file, "bold"), f": the {against}"), soft_wrap=True)
    console.print(f"torch {report.torch}, {report.device}, seed {report.seed}", style="dim", soft_wrap=True)
    console.print()
    if report.inside:
        console.print(_table(report, everything))
        console.print()
    for number, failure in enumerate(report.failures, 1):
        for line in _failure(number, failure):
            console.print(line, soft_wrap=True)
        console.print()
    if report.outside:
        console.print(Text("Outside the contract, unchecked", "bold"))
        console.print("Nothing has to accept these; this is what happens to a caller who gets it wrong.", style="dim")
        for ran in report.outside:
            console.print(_beyond(ran, report), soft_wrap=True)
        console.print()
    for note in report.notes:
        console.print(f"note: {note}", soft_wrap=True)
    console.print(_summary(report), soft_wrap=True)


def _table(report: Report, everything: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("inputs", "cases", "result"):
        table.add_column(heading, justify="right" if heading == "cases" else "left", overflow="fold")
    for kind in KINDS[:-1]:
        ran = [each for each in report.inside if each.case.kind == kind]
        agreeing = [each for each in ran if each.finding.verdict == "agrees" and not everything]
        if agreeing:
            gap = max(each.finding.tolerated for each in agreeing)
            within = f", within {gap:.2g}" if gap else ""
            count = str(len(agreeing))
            table.add_row(f"{_ABOUT[kind]}: {_names(agreeing)}", count, Text(f"agree{within}", "green"))
        for each in ran:
            if each not in agreeing:
                table.add_row(shown(each.case.name)[0], "1", _result(each))
    return table


def _names(ran: list[Ran]) -> str:
    names = [shown(each.case.name)[0] for each in ran]
    return ", ".join(names[:8]) + (f", … {len(names) - 8} more" if len(names) > 8 else "")


def _result(ran: Ran) -> Text:
    found = ran.finding
    if found.verdict == "agrees":
        return Text(f"agrees, within {found.tolerated:.2g}" if found.tolerated else "agrees", "green")
    subject = f"the {found.subject}: " if found.subject and not found.good else ""
    return Text(f"{subject}{_SHORT.get(found.verdict, found.verdict)}", "yellow" if found.good else "red")


def _failure(number: int, failure: Failure) -> Iterator[Text]:
    heading = _SHORT.get(failure.verdict, failure.verdict)
    subject = f"the {failure.subject}: " if failure.subject else ""
    yield Text(f"{number}. {subject}{heading}", "bold red")
    said = f" (says the {failure.reference})" if failure.verdict == "accepts" else ""
    yield _line("", failure.text + said)
    if failure.why:
        yield _line("why: ", failure.why)
    if failure.case is not None:
        yield _line("smallest: ", failure.smallest)
        if len(failure.cases) > 1:
            yield _line("also: ", ", ".join(failure.cases[:6]) + (" …" if len(failure.cases) > 6 else ""))
        yield _line("to see it:", "")
        yield from (Text(f"      {line}".rstrip()) for line in failure.code.splitlines())


def _line(heading: str, text: str) -> Text:
    return Text.assemble("   ", (heading, "bold"), shown(text)[0])


def _beyond(ran: Ran, report: Report) -> Text:
    found, subject = ran.finding, report.compared[-1]
    match found.verdict:
        case "crash" | "hang":
            text, style = f"{found.verdict}: {found.text}", "red"
        case "rejected":
            text, style = f"the {subject} refuses it: {found.text}", "green"
        case "accepts":
            text, style = f"the {subject} returns without a word; the {found.reference} refuses it", "yellow"
        case "agrees" | "both raise":
            text, style = "works all the same" if found.verdict == "agrees" else "both raise", "green"
        case _:
            text, style = f"the {found.subject} returns something else without a word: {found.text}", "yellow"
    return Text.assemble(f"  {shown(ran.case.name)[0]}: ", (shown(text)[0], style))


def _summary(report: Report) -> Text:
    silent = sum(ran.silent for ran in report.outside)
    count = len(report.inside)
    beyond = f"; beyond it {silent} of {len(report.outside)} go wrong without a word" if silent else ""
    cases = f"{count} case{'s' if count != 1 else ''} inside the contract"
    if report.failures:
        failures = f"{len(report.failures)} failure{'s' if len(report.failures) != 1 else ''}"
        return Text.assemble((failures, "bold red"), f" in {cases}{beyond}")
    return Text.assemble(("no disagreement", "bold green"), f" in {cases}{beyond}")
