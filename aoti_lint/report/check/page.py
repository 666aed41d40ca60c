"""The findings for people, one after the other: a frame for each place that is part of the story, and what to do."""

from __future__ import annotations

import os

from aoti_lint.called import CALLED
from aoti_lint.report.check.notes import inside, new_lines, notes, where
from aoti_lint.report.columns import cut, shown
from aoti_lint.report.frame import Mark, frame, gutter_width
from aoti_lint.report.output import file_link
from aoti_lint.report.styled import wrapped
from aoti_lint.source.discovery.discover import is_archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from aoti_lint.report.styled import Line, Segment

    LineOf: TypeAlias = Callable[[str, int | None, int], str | None]
    """Text of a row of a file, or of a notebook's cell; None when there is no such text."""

LONGEST_CALL = 100
"""Columns of the source of a call on the way to a finding."""


class Page:
    """The findings as they are told one after the other: what the one above has shown is not shown again."""

    def __init__(self, line_of: LineOf, width: int, folder: str | None) -> None:
        self.line_of, self.width, self.folder = line_of, width, folder
        self.gutter = 1
        self.above: set[tuple[object, ...]] = set()
        """The places in frames of the finding above."""
        self.way: list[str] = []
        """The calls that led to it."""

    def lines(self, document: dict[str, Any]) -> Iterator[Line]:
        """All findings of a document, each with an empty line behind it; files that could not be read come first."""
        for problem in document["errors"]:
            yield from self.problem(problem)
            yield []
        for finding in document["diagnostics"]:
            yield from self.finding(finding)
            yield []

    def finding(self, finding: dict[str, Any]) -> Iterator[Line]:
        """What is wrong, both ends of it, what to write instead, and what else there is to know."""
        severity = finding["severity"]
        yield from self.head(f"{severity}[{finding['code']}]", severity, finding["message"])
        places = [(finding, finding["label"], severity)]
        places += [(one, one["message"], "related") for one in finding["related"] if one["message"] != CALLED]
        yield from self.frames(places, f" ({finding['name']})")
        for name, value in notes(finding):
            yield from self.said(f"{name}: ", [(value, "")])
            if name.startswith("fix "):
                for line in new_lines(finding["fix"]):
                    yield [(" " * self.gutter + " + ", "gutter"), (shown(line)[0], "")]
        yield from self.calls([one for one in finding["related"] if one["message"] == CALLED])

    def problem(self, problem: dict[str, Any]) -> Iterator[Line]:
        """A file that could not be read or parsed."""
        if problem["location"] is None:
            yield from self.head("error[AOTI002]", "error", f"{problem['filename']}: {problem['message']}")
        else:
            yield from self.head("error[AOTI002]", "error", problem["message"])
            yield from self.frames(
                [({**problem, "end_location": problem["location"]}, "", "error")], " (unreadable-file)"
            )

    def head(self, code: str, severity: str, message: str) -> Iterator[Line]:
        """The first line."""
        yield from wrapped([(code, severity), (f": {message}", "message")], self.width, 2)

    def said(self, name: str, value: Line) -> Iterator[Line]:
        """A line below the frames."""
        sign = " " * self.gutter + " = "
        yield from wrapped([(sign, "gutter"), (name, "name"), *value], self.width, len(sign) + 2)

    def frames(self, places: list[tuple[dict[str, Any], str, str]], name: str) -> Iterator[Line]:
        """One frame a file (or notebook cell), the first place's file first.

        None of a file of which the finding above has shown all that this one would.
        """
        groups: dict[tuple[object, ...], list[tuple[dict[str, Any], Mark]]] = {}
        spots = [_spot(place) for place, _, _ in places]
        framed = {_file(place) for number, (place, _, _) in enumerate(places)
                  if not number or spots[number] not in self.above}  # fmt: skip
        for (place, label, style), spot in zip(places, spots, strict=True):
            start, end = place["location"], place["end_location"]
            mark = Mark(start["row"], start["column"], end["row"], end["column"], label, style)
            file = _file(place)
            groups.setdefault((*file, None if file in framed else spot), []).append((place, mark))
        self.above = set(spots)
        self.gutter = gutter_width(mark for group in groups.values() for _, mark in group)
        for number, ((_, _, above), group) in enumerate(groups.items()):
            arrow = "::: " if number else "--> "
            where = [(" " * self.gutter + arrow, "gutter"), self.place(group[0][0]), ("" if number else name, "name")]
            if above is not None:
                for _, mark in group:
                    yield from wrapped(
                        [*where, (", as in the finding above", ""), *_after(mark)], self.width, self.gutter + 4
                    )
                continue
            yield from wrapped(where, self.width, self.gutter + 4)
            yield from self.frame(group[0][0], [mark for _, mark in group])

    def frame(self, place: dict[str, Any], marks: list[Mark]) -> Iterator[Line]:
        """The rows of one file; only what is said of them where they are not at hand."""
        margin = (" " * self.gutter + " |", "gutter")

        def text(row: int) -> str | None:
            return self.line_of(place["filename"], place["cell"], row)

        if any(text(row) is None for mark in marks for row in mark.rows):
            for mark in filter(lambda mark: mark.label, marks):
                yield from wrapped([margin, (f" {mark.label}", mark.style)], self.width, self.gutter + 5)
            return
        yield [margin]
        yield from frame(marks, lambda row: text(row) or "", self.gutter, self.width)
        yield [margin]

    def calls(self, calls: list[dict[str, Any]]) -> Iterator[Line]:
        """The calls that lead there, a line each, the first one first."""
        way = [_where(one) for one in calls]
        if way and way == self.way:
            yield from self.said("called: ", [("the same way as above", "")])
        else:
            for number, one in enumerate(calls):
                text = self.line_of(one["filename"], one["cell"], one["location"]["row"])
                source = "" if text is None else f": {cut(shown(text)[0].strip(), 0, LONGEST_CALL)}"
                yield from self.said("then: " if number else "called: ", [self.place(one), (source, "")])
        self.way = way

    def place(self, place: dict[str, Any]) -> Segment:
        """A place by its name, and as a link where these are wanted."""
        if self.folder is None:
            return _where(place), ""
        return _where(place), f"link {file_link(os.path.join(self.folder, place['filename']))}"


def _file(place: dict[str, Any]) -> tuple[object, ...]:
    return place["filename"], place["cell"]


def _spot(place: dict[str, Any]) -> tuple[object, ...]:
    return (*_file(place), *place["location"].values(), *place["end_location"].values())


def _where(place: dict[str, Any]) -> str:
    """A place by its name for people: an archive has no rows, but files in it."""
    if not is_archive(place["filename"]):
        return where(place)
    member = inside(place)
    return where(place).removesuffix(":1:1") + (f", {member}" if member else "")


def _after(mark: Mark) -> Line:
    return [(": ", ""), (mark.label, mark.style)] if mark.label else []
