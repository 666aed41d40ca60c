"""What a report of `check` tells, and what formats for other programs ask beside its document."""

from __future__ import annotations

import os
from functools import cached_property

from aoti_lint.quoting.terminal import printable
from aoti_lint.report.columns import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

    from aoti_lint.report.check.about import About
    from aoti_lint.report.lines import Lines

UNREAD: Final = "AOTI002"
"""The rule that stands for files that could not be read or parsed, which the document has as `errors`."""


class Region:
    """Rows of a file, with columns where they are known. As in the document: from 1, code points, the end exclusive."""

    __slots__ = ("column", "end_column", "end_row", "row")

    def __init__(self, row: int, column: int | None, end_row: int, end_column: int | None) -> None:
        self.row, self.column, self.end_row, self.end_column = row, column, end_row, end_column


class Told:
    """A document (see `json_v1`) with the source lines it speaks of.

    `about` gives what there is to say of a rule, by its code. `folder` is the one that names of files are relative to.
    `statistics`, `quiet` and `verbose` are what formats for people are asked for.
    """

    def __init__(
        self,
        document: dict[str, Any],
        line: Lines,
        folder: str,
        about: Callable[[str], About | None] = lambda code: None,
        *,
        statistics: bool = False,
        quiet: bool = False,
        verbose: bool = False,
    ) -> None:
        self.document, self.line, self.folder, self.about = document, line, folder, about
        self.statistics, self.quiet, self.verbose = statistics, quiet, verbose

    def findings(self) -> Iterator[dict[str, Any]]:
        """All findings; those about files that could not be read or parsed come first."""
        yield from self.unread()
        yield from self.document["diagnostics"]

    def unread(self) -> Iterator[dict[str, Any]]:
        """The files that could not be read or parsed, each as a finding."""
        for problem in self.document["errors"]:
            yield {
                "code": UNREAD, "name": "unreadable-file", "severity": "error", "confidence": "certain", "doubt": "",
                "outcome": "", "label": "", "help": "", "notes": [], "versions": [], "url": None, "related": [],
                "inside": None, "fix": None, "fingerprint": "", "end_location": problem["location"], **problem,
            }  # fmt: skip

    def region(self, place: dict[str, Any]) -> Region | None:
        """The part of the file that a place of the document is; None for what has no lines, as an archive.

        A place in a notebook is that line of the file itself where the source of its cell has the line.
        """
        from aoti_lint.source.discovery.discover import is_archive

        filename, cell = place["filename"], place["cell"]
        start, end = place["location"], place["end_location"]
        if start is None or is_archive(filename):
            return None
        if cell is None:
            return Region(start["row"], start["column"], end["row"], end["column"])
        rows = [self.line.raw_row(filename, cell, one["row"]) for one in (start, end)]
        return None if rows[0] is None else Region(rows[0], None, rows[1] or rows[0], None)

    def bytes_to(self, place: dict[str, Any], row: int, column: int | None) -> int | None:
        """The column of a row of a file in bytes of UTF-8, from 1; None where the row cannot be read."""
        text = self.line(place["filename"], None, row)
        if text is None or column is None:
            return None
        return len(text[: column - 1].encode("utf-8", "surrogatepass")) + 1

    def in_repository(self, filename: str) -> str:
        """A name as the services that host repositories want it: relative to the root of the repository.

        To the present folder where that is in none; what lies outside is absolute.
        """
        path = os.path.normpath(os.path.join(self.folder, filename))
        return path.removeprefix(os.path.join(self._top, "")).replace(os.sep, "/")

    @cached_property
    def _top(self) -> str:
        """The root of the repository, or the present folder where that is in none: the same for all names."""
        top = self.folder
        while not os.path.exists(os.path.join(top, ".git")):
            if top == os.path.dirname(top):
                return self.folder
            top = os.path.dirname(top)
        return top


def said(finding: dict[str, Any], *, related: bool, code: bool = True) -> str:
    """All that a finding says, in lines: what is wrong first, then what it is judged by and what to do.

    With what is `related`, for formats that have no place for other places. A fix that is lines of `code` is left out
    where these cannot be shown as such.
    """
    from aoti_lint.report.check.notes import inside, new_lines, notes, where

    cell = finding["cell"]
    place = "" if cell is None else f"cell {cell}, line {finding['location']['row']}: "
    lines = [place + joined(finding["message"])]
    if finding["inside"]:
        told = f": {joined(finding['label'])}" if finding["label"] else ""
        lines.append(f"look {inside(finding)}{told}")
    if finding["code"] != UNREAD:
        added = new_lines(finding["fix"])
        for name, value in notes(finding):
            is_lines = name.startswith("fix ") and bool(added)
            if code or not is_lines:
                lines += [f"{name}: {joined(value)}", *(f"+ {line}" for line in added if is_lines)]
    if related:
        lines += [f"{where(other)}: {joined(other['message'])}" for other in finding["related"]]
    return printable("\n".join(lines))


def edits(finding: dict[str, Any]) -> list[dict[str, Any]]:
    """The edits of its fix; none where that is only to be shown, or changes cells of a notebook."""
    fix = finding["fix"]
    if fix is None or fix["applicability"] == "display" or any(edit["cell"] is not None for edit in fix["edits"]):
        return []
    made: list[dict[str, Any]] = fix["edits"]
    return made


def plain(text: str) -> str:
    """A text that every reader of JSON takes: what is no character, as in a name that is no UTF-8, is spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()
