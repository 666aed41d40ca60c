"""The report for people: a code frame for each finding, with every place that is part of the story, and a summary."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.marked import named
from aoti_lint.report.check.summary import count, dashes, statistics_lines, summary_lines
from aoti_lint.report.columns import shown
from aoti_lint.report.frame import Mark, frame, gutter_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from typing import Any, TypeAlias

    from aoti_lint.report.frame import Line

    LineOf: TypeAlias = Callable[[str, int | None, int], str | None]
    """Text of a row of a file, or of a notebook's cell; None when there is no such text."""

MOST_COPIES = 3
"""More files in which the same stands are counted; the JSON document has them all."""
_FORGED = regex(r":(?=(?:cell \d+:)?\d+:\d+: )")


def text_lines(
    document: dict[str, Any], line_of: LineOf, *, width: int, statistics: bool, quiet: bool = False,
    verbose: bool = False,
) -> Iterator[Line]:  # fmt: skip
    """Render a document (see `json_v1`) as lines of styled segments.

    `quiet`: without what is said about all of it; `verbose`: with all of that.
    """
    for problem in document["errors"]:
        yield from _problem(problem, line_of, width)
        yield []
    for diagnostic in document["diagnostics"]:
        yield from _diagnostic(diagnostic, line_of, width)
        yield []
    if document["upgrade"]:
        from aoti_lint.report.check.upgrade import upgrade_lines

        yield from upgrade_lines(document)
    if not quiet:
        yield from summary_lines(document, statistics=statistics, verbose=verbose)
    elif statistics:
        yield from statistics_lines(document)


def _diagnostic(diagnostic: dict[str, Any], line_of: LineOf, width: int) -> Iterator[Line]:
    severity = diagnostic["severity"]
    yield [
        (f"{severity}[{diagnostic['code']}]", severity),
        (f" {diagnostic['name']}: ", "name"),
        (diagnostic["message"], "message"),
    ]
    places = [(diagnostic, diagnostic["label"], severity)]
    places += [(place, place["message"], "related") for place in diagnostic["related"]]
    gutter = yield from _frames(places, line_of, width)
    for name, value in notes(diagnostic):
        yield [(" " * gutter + " = ", "gutter"), (f"{name}: ", "name"), (value, "")]
    for line in _new_lines(diagnostic["fix"]):
        yield [(" " * gutter + " + ", "gutter"), (shown(line)[0], "")]


def notes(diagnostic: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a finding says beside its message, each with what it is."""
    sure = "" if diagnostic["confidence"] == "certain" else f" ({diagnostic['confidence']})"
    yield "outcome", diagnostic["outcome"] + sure
    if diagnostic["versions"]:
        yield "versions", "torch " + dashes(", ".join(diagnostic["versions"]))
    if diagnostic["copies"]:
        yield "copies", f"the same stands in {_some(diagnostic['copies'])}"
    for note in diagnostic["notes"]:
        yield "note", note
    if diagnostic["help"]:
        yield "help", diagnostic["help"]
    if diagnostic["fix"]:
        yield f"fix ({diagnostic['fix']['applicability']})", diagnostic["fix"]["message"]


def _some(names: list[str]) -> str:
    """The names of files, and how many more there are than a person reads."""
    more = len(names) - MOST_COPIES
    told = ", ".join(names[:MOST_COPIES])
    return told if more <= 0 else f"{told} and {count(more, 'more file')}"


def _new_lines(fix: dict[str, Any] | None) -> list[str]:
    """The lines that a fix adds, where it adds whole lines: the change of a word is said in its title."""
    added = [edit["content"].strip("\r\n") for edit in fix["edits"]] if fix else []
    return [line for text in added for line in text.splitlines()] if any("\n" in text for text in added) else []


def _problem(problem: dict[str, Any], line_of: LineOf, width: int) -> Iterator[Line]:
    if problem["location"] is None:
        yield [("error[AOTI002]", "error"), (f" {problem['filename']}: {problem['message']}", "message")]
    else:
        yield [("error[AOTI002]", "error"), (" syntax-error: ", "name"), (problem["message"], "message")]
        yield from _frames([({**problem, "end_location": problem["location"]}, "", "error")], line_of, width)


def _frames(places: list[tuple[dict[str, Any], str, str]], line_of: LineOf, width: int) -> Generator[Line, None, int]:
    """One frame a file (or notebook cell), the first place's file first. Gives the width of the gutter."""
    groups: dict[tuple[str, int | None], list[tuple[dict[str, Any], Mark]]] = {}
    for place, label, style in places:
        start, end = place["location"], place["end_location"]
        mark = Mark(start["row"], start["column"], end["row"], end["column"], label, style)
        groups.setdefault((place["filename"], place["cell"]), []).append((place, mark))
    gutter = gutter_width(mark for group in groups.values() for _, mark in group)
    for number, ((filename, cell), group) in enumerate(groups.items()):
        arrow = "-->" if number == 0 else ":::"
        yield [(" " * gutter + f"{arrow} ", "gutter"), (where(group[0][0]), "")]
        marks = [mark for _, mark in group]
        if any(line_of(filename, cell, row) is None for mark in marks for row in mark.rows):
            for mark in marks:
                yield [(" " * gutter + " | ", "gutter"), (mark.label, mark.style)]
            continue
        yield [(" " * gutter + " |", "gutter")]

        def line(row: int, filename: str = filename, cell: int | None = cell) -> str:
            return line_of(filename, cell, row) or ""

        yield from frame(marks, line, gutter, width)
        yield [(" " * gutter + " |", "gutter")]
    return gutter


def where(place: dict[str, Any]) -> str:
    """`path:row:column`, with the cell of a notebook. No name of a file looks like the whole of a finding's line."""
    cell = "" if place["cell"] is None else f"cell {place['cell']}:"
    start = place["location"]
    filename = _FORGED.sub(lambda colon: named(colon[0]), place["filename"])
    return f"{filename}:{cell}{start['row']}:{start['column']}"
