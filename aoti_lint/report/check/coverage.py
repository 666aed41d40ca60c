"""The coverage as a table for people: a line for each kind of place."""

from __future__ import annotations

from aoti_lint.report.check.summary import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from aoti_lint.report.styled import Line

TITLES = {
    "export": "exports", "compile": "compiles", "package": "packages, saves", "load": "loads", "call": "calls",
    "op": "ops", "fake": "fakes",
}  # fmt: skip


def coverage_lines(coverage: dict[str, Any]) -> Iterator[Line]:
    """Render the `coverage` of a document (see `json_v1`) as lines of styled segments."""
    yield []
    kinds = [kind for kind in coverage["kinds"] if kind["sites"]]
    if kinds:
        yield [("Coverage: the places that matter, and at how many of them each thing was known", "message")]
    else:
        what = "Nothing that could be read" if coverage["unread"] else "Nothing"
        yield [(f"{what} exports, compiles, loads or calls a program, or defines an operator.", "message")]
    rows = [_cells(kind) for kind in kinds]
    widths = [max(map(len, column), default=0) for column in zip(*(row[:3] for row in rows), strict=True)]
    for title, number, followed, *aspects in rows:
        head = f"  {title.ljust(widths[0])}  {number.rjust(widths[1])}  {followed.ljust(widths[2])}  "
        yield [(head, ""), ("  ".join(aspects), "")]
    if coverage["unread"]:
        files, them = count(len(coverage["unread"]), "file"), "it" if len(coverage["unread"]) == 1 else "them"
        yield [(f"{files} could not be read: what is in {them} is not counted.", "")]
    cut = len(coverage["unfinished"])
    if cut:
        them = "1 part of the code was" if cut == 1 else f"{cut} parts of the code were"
        yield [(f"{them} not checked to its end.", "")]


def _cells(kind: dict[str, Any]) -> list[str]:
    """The cells of a line: the kind, how many, how many were followed, and of how many each thing was known."""
    total = kind["sites"]
    known = [f"{one['aspect']} {one['known']} ({share(one['known'], total)})" for one in kind["aspects"]]
    return [TITLES[kind["kind"]], str(total), f"followed {kind['followed']} ({share(kind['followed'], total)})", *known]


def share(part: int, whole: int) -> str:
    """Percent, rounded so that only all is 100% and only nothing 0%."""
    percent = round(100 * part / whole)
    return f"{min(max(percent, 1), 99) if 0 < part < whole else percent}%"
