"""Makes the document all reports are made from: places as rows and columns, file names as the user knows them."""

from __future__ import annotations

from aoti_lint.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from aoti_lint.diagnostics import Diagnostic, Fix, Inside, Span
    from aoti_lint.source.text import Source
    from aoti_lint.text.problem import SourceProblem

FORMAT = "aoti-lint/1"
OPEN = "a default, a branch or a caller may have it come out otherwise"
"""What keeps a finding from being certain, where its rule says no more."""


def empty_document() -> dict[str, Any]:
    """The document of a run that looked at nothing."""
    return {
        "format": FORMAT,
        "version": __version__,
        "torch": {"versions": [], "origin": "not looked for, as there was nothing to judge", "below": []},
        "diagnostics": [],
        "errors": [],
        "skipped": [],
        "upgrade": [],
        "summary": {
            "files": 0,
            "analysed": 0,
            "copies": 0,
            "quiet": 0,
            "context": 0,
            "errors": 0,
            "warnings": 0,
            "infos": 0,
            "by_code": {},
            "held_back": 0,
            "suppressed": 0,
            "baselined": 0,
            "baseline_gone": 0,
            "notes": [],
        },
    }


class Places:
    """Turns spans into places of the document."""

    def __init__(self, source_of: Callable[[str], Source | None], name_of: Callable[[str], str]) -> None:
        """`source_of` gives the source of a path relative to the root, `name_of` the name its user knows it by."""
        self._source_of, self._name_of = source_of, name_of

    def place(self, span: Span) -> dict[str, Any]:
        """File name, cell, and both ends."""
        return {
            "filename": self._name_of(span.path),
            "location": self.point(span.path, span.start)[0],
            "end_location": self.point(span.path, span.end)[0],
            "cell": self.point(span.path, span.start)[1],
        }

    def point(self, path: str, offset: int) -> tuple[dict[str, int], int | None]:
        """Row and column of an offset, and the notebook cell the row is counted in."""
        source = self._source_of(path)
        if source is None:
            return {"row": 1, "column": 1}, None
        row, column = source.lines.position(offset)
        return self._in_cell(source, row, column)

    def _in_cell(self, source: Source, row: int, column: int) -> tuple[dict[str, int], int | None]:
        cell = source.cell(row)
        if cell is None:
            return {"row": row, "column": column}, None
        return {"row": cell[1], "column": column}, cell[0]

    def row(self, path: str, row: int) -> int:
        """A row as the user counts it."""
        source = self._source_of(path)
        return row if source is None else self._in_cell(source, row, 1)[0]["row"]

    def finding(
        self, diagnostic: Diagnostic, *, url: str | None, last_row: int, copies: Iterable[str]
    ) -> dict[str, Any]:
        """One entry of `diagnostics`.

        `last_row` is the last row of the statement in the source, `copies` are the files with the same source.
        """
        return {
            "code": diagnostic.code,
            "name": diagnostic.name,
            "severity": diagnostic.severity.value,
            "confidence": diagnostic.confidence.value,
            "doubt": "" if diagnostic.confidence.value == "certain" else diagnostic.doubt or OPEN,
            "outcome": diagnostic.outcome.value,
            "message": self._message(diagnostic),
            **self.place(diagnostic.span),
            "inside": _inside(diagnostic.inside),
            "label": diagnostic.label,
            "help": diagnostic.help,
            "notes": list(diagnostic.notes),
            "versions": list(diagnostic.versions),
            "symptom": diagnostic.symptom,
            "url": url,
            "related": [{"message": item.message, **self.place(item.span)} for item in diagnostic.related],
            "fix": self._fix(diagnostic.fix),
            "fingerprint": diagnostic.fingerprint,
            "noqa_row": self.row(diagnostic.span.path, last_row),
            "copies": [self._name_of(path) for path in copies],
        }

    def _message(self, diagnostic: Diagnostic) -> str:
        if diagnostic.about is None:
            return diagnostic.message
        place = self.place(diagnostic.about)
        where = "" if place["cell"] is None else f"cell {place['cell']}, line "
        return f"{place['filename']}:{where}{place['location']['row']}: {diagnostic.message}"

    def _fix(self, fix: Fix | None) -> dict[str, Any] | None:
        if fix is None:
            return None
        edits = [{"content": edit.content, **self.place(edit.span)} for edit in fix.edits]
        return {"message": fix.title, "applicability": fix.applicability.value, "edits": edits}


def _inside(inside: Inside | None) -> dict[str, Any] | None:
    return None if inside is None else {"member": inside.member, "row": inside.row}


def problem_entry(
    problem: SourceProblem, source_of: Callable[[str], Source | None], name_of: Callable[[str], str]
) -> dict[str, Any]:
    """One entry of `errors`; see `Places` for the arguments."""
    location, cell = None, None
    if problem.offset is not None and source_of(problem.path) is not None:
        location, cell = Places(source_of, name_of).point(problem.path, problem.offset)
    return {"filename": name_of(problem.path), "message": problem.message, "location": location, "cell": cell}


def summarise(document: dict[str, Any]) -> None:
    """Count the findings of a document into its summary."""
    summary = document["summary"]
    by_code: dict[str, int] = {}
    for item in document["diagnostics"]:
        summary[item["severity"] + "s"] += 1
        by_code[item["code"]] = by_code.get(item["code"], 0) + 1
    summary["by_code"] = dict(sorted(by_code.items()))
