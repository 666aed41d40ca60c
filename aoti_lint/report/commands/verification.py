"""What `verify` found, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.program.verify.cases import KINDS, Kind
from aoti_lint.report.tables import Table, table

if TYPE_CHECKING:
    from aoti_lint.program.verify.report import Failure, Ran, Report
    from aoti_lint.report.output import Output
    from aoti_lint.report.styled import Line, Segment

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


def print_report(output: Output, report: Report, *, everything: bool = False) -> None:
    """Print the table of cases, the failures with code that shows them, and what happens beyond the contract."""
    against = " against the ".join(f"{role}" for role in reversed(report.compared))
    output.line((report.file, "bold"), f": the {against}")
    output.line((f"torch {report.torch}, {report.device}, seed {report.seed}", "dim"))
    output.line()
    if report.inside:
        output.table(_table(report, everything))
        output.line()
    for number, failure in enumerate(report.failures, 1):
        output.styled(_failure(number, failure))
        output.line()
    if report.outside:
        output.line(("Outside the contract, unchecked", "bold"))
        output.line(("Nothing has to accept these; this is what happens to a caller who gets it wrong.", "dim"))
        output.styled(_beyond(ran, report) for ran in report.outside)
        output.line()
    for note in report.notes:
        output.line(f"note: {note}")
    output.styled([_summary(report)])


def _table(report: Report, everything: bool) -> Table:
    rows: list[tuple[object, ...]] = []
    for kind in KINDS[:-1]:
        ran = [each for each in report.inside if each.case.kind == kind]
        agreeing = [each for each in ran if each.finding.verdict == "agrees" and not everything]
        if agreeing:
            gap = max(each.finding.tolerated for each in agreeing)
            within = f", within {gap:.2g}" if gap else ""
            rows.append((f"{_ABOUT[kind]}: {_names(agreeing)}", len(agreeing), (f"agree{within}", "green")))
        rows += [(each.case.name, 1, _result(each)) for each in ran if each not in agreeing]
    return table("", ("inputs", "cases", "result"), rows)


def _names(ran: list[Ran]) -> str:
    names = [each.case.name for each in ran]
    return ", ".join(names[:8]) + (f", … {len(names) - 8} more" if len(names) > 8 else "")


def _result(ran: Ran) -> Segment:
    found = ran.finding
    if found.verdict == "agrees":
        return f"agrees, within {found.tolerated:.2g}" if found.tolerated else "agrees", "green"
    subject = f"the {found.subject}: " if found.subject and not found.good else ""
    return f"{subject}{_SHORT.get(found.verdict, found.verdict)}", "yellow" if found.good else "red"


def _failure(number: int, failure: Failure) -> Iterator[Line]:
    heading = _SHORT.get(failure.verdict, failure.verdict)
    subject = f"the {failure.subject}: " if failure.subject else ""
    yield [(f"{number}. {subject}{heading}", "bold red")]
    said = f" (says the {failure.reference})" if failure.verdict == "accepts" else ""
    yield _line("", failure.text + said)
    if failure.why:
        yield _line("why: ", failure.why)
    if failure.case is not None:
        yield _line("smallest: ", failure.smallest)
        if len(failure.cases) > 1:
            yield _line("also: ", ", ".join(failure.cases[:6]) + (" …" if len(failure.cases) > 6 else ""))
        yield _line("to see it:", "")
        yield from ([(f"      {line}".rstrip(), "")] for line in failure.code.splitlines())


def _line(heading: str, text: str) -> Line:
    return [("   ", ""), (heading, "bold"), (text, "")]


def _beyond(ran: Ran, report: Report) -> Line:
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
    return [(f"  {ran.case.name}: ", ""), (text, style)]


def _summary(report: Report) -> Line:
    silent = sum(ran.silent for ran in report.outside)
    count = len(report.inside)
    beyond = f"; beyond it {silent} of {len(report.outside)} go wrong without a word" if silent else ""
    cases = f"{count} case{'s' if count != 1 else ''} inside the contract"
    if report.failures:
        failures = f"{len(report.failures)} failure{'s' if len(report.failures) != 1 else ''}"
        return [(failures, "bold red"), (f" in {cases}{beyond}", "")]
    return [("no disagreement", "bold green"), (f" in {cases}{beyond}", "")]
