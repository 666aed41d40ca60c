"""Suppression comments for findings, put where they count and change nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from aoti_lint.findings.code_only import CPP, PYTHON, code_of, language_of
from aoti_lint.findings.logical import LogicalLines, PlainLines
from aoti_lint.findings.suppress import lists
from aoti_lint.source.settings.kinds import DOCKER, DOTENV
from aoti_lint.source.text import Source

Edit = tuple[int, str]
"""Text to put in, and the index in the text where."""


class NoPlace(Exception):
    """There is no place for a comment that counts for the finding in this row."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


def with_comments(source: Source, wanted: Mapping[int, Iterable[str]], reason: str = "") -> str:
    """The text of a source with comments that suppress these rules in the statements of these rows.

    A comment that is there already is given the further rules and the reason. Raises `NoPlace`, and `SourceProblem` for
    a source that cannot be read to its end.
    """
    language = language_of(source)
    before = code_of(source)
    places = _Places(source, language, reason)
    statements: dict[range, dict[str, None]] = {}
    first: dict[range, int] = {}
    for row, codes in sorted(wanted.items()):
        rows = places.rows(row)
        first.setdefault(rows, row)
        statements.setdefault(rows, {}).update(dict.fromkeys(codes))
    ways = {rows: list(places.ways(rows, sorted(codes))) for rows, codes in statements.items()}
    edits = [edit for way in ways.values() for edit in (way[0] if way else ())]
    # Nearly always the first way will do, for all of them at once.
    if all(ways.values()) and _differs_in_comments(source, edits, before):
        return _edited(source.text, edits)
    edits = []
    for rows, way in ways.items():
        chosen = next((one for one in way if _differs_in_comments(source, [*edits, *one], before)), None)
        if chosen is None:
            raise NoPlace(first[rows])
        edits += chosen
    return _edited(source.text, edits)


class _Places:
    """Where comments may stand in a source."""

    def __init__(self, source: Source, language: str, reason: str) -> None:
        self._source, self._language = source, language
        self._mark, self._reason = "//" if language == CPP else "#", f" {reason}" if reason else ""
        if language == PYTHON:
            self._logical: LogicalLines | PlainLines = LogicalLines(source.lines)
        else:
            self._logical = PlainLines(source.lines, slashes=language == CPP)

    def rows(self, row: int) -> range:
        """The rows of the statement in a row."""
        return self._logical.rows(row)

    def ways(self, rows: range, codes: list[str]) -> Iterator[list[Edit]]:
        """The edits that may do, the best first."""
        lines = self._source.lines
        for comment in self._logical.comments:
            spoken = self._logical.rows(comment.row)
            if spoken[-1] == rows[-1] and spoken[0] <= rows[0]:
                for end, reason, behind in lists(comment.text):
                    edits = [(self._index(comment.row, comment.column + end), f", {', '.join(codes)}")]
                    if self._reason.strip() not in comment.text[end:]:
                        added = f";{self._reason}" if reason else self._reason
                        edits.append((self._index(comment.row, comment.column + behind), added))
                    yield edits
        comment_text = f"{self._mark} aoti-lint: ignore[{', '.join(codes)}]{self._reason}"
        last = lines.line_text(rows[-1])
        if self._language not in (DOCKER, DOTENV) and not (self._language != PYTHON and last.endswith("\\")):
            yield [(self._index(rows[-1], len(last) + 1), f"  {comment_text}")]
        above = lines.line_text(rows[0] - 1) if rows[0] > 1 else ""
        if self._language != PYTHON and (self._language == DOCKER or not above.endswith("\\")):
            row = lines.line_text(rows[0])
            indent = row[: len(row) - len(row.lstrip())]
            yield [(self._index(rows[0], 1), f"{indent}{comment_text}{self._source.newline}")]

    def _index(self, row: int, column: int) -> int:
        lines = self._source.lines
        return lines.byte_to_char(lines.offset(row, column))


def _differs_in_comments(source: Source, edits: list[Edit], before: object) -> bool:
    text = _edited(source.text, edits)
    return code_of(Source(source.path, text, source.encoding, source.bom, source.notebook)) == before


def _edited(text: str, edits: list[Edit]) -> str:
    for index, added in sorted(edits, reverse=True):
        text = text[:index] + added + text[index:]
    return text
