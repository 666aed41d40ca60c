"""Code frames: source lines with labelled marks under them.

A frame is made as lines of styled segments, so that the plain and the coloured report are one and the same.
"""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.report.columns import cut, shown
from aoti_lint.report.columns import width as _width
from aoti_lint.report.styled import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aoti_lint.report.styled import Line

ELLIPSIS = "..."
LONGEST_BLOCK = 5
"""A mark over more rows than this shows its first two and its last."""
LONGEST_ROW = 240
"""Columns of a source row that are shown: on a page of any width, so that all pages tell the same."""
NARROWEST_LABEL = 24
"""Columns that a label needs where it goes over several lines; else it begins further to the left than its mark."""
_TOKEN = regex(r"\s*[^\s(,\[]*[(,\[]*\s*")


class Mark:
    """A labelled span of one source: 1-based rows and code point columns, the end exclusive."""

    __slots__ = ("column", "end_column", "end_row", "label", "row", "style")

    def __init__(self, row: int, column: int, end_row: int, end_column: int, label: str, style: str) -> None:
        self.row, self.column, self.end_row, self.end_column = row, column, end_row, end_column
        self.label, self.style = label, style
        if end_row > row and end_column == 1:
            # A span that ends with a newline ends on the line before, for the eye.
            self.end_row, self.end_column = end_row - 1, 1 << 20

    @property
    def rows(self) -> Iterable[int]:
        """The rows a frame should show for this mark."""
        if self.end_row - self.row < LONGEST_BLOCK:
            return range(self.row, self.end_row + 1)
        return (self.row, self.row + 1, self.end_row)


def gutter_width(marks: Iterable[Mark]) -> int:
    """How many characters the row numbers of these marks need."""
    return max((len(str(mark.end_row)) for mark in marks), default=1)


def frame(marks: list[Mark], line_of: Callable[[int], str], gutter: int, width: int) -> list[Line]:
    """Draw the rows of `marks`, each mark with its label, on a page of `width` screen columns.

    `line_of` gives the text of a row. `gutter` is the width of the row numbers. What is too long for the page goes on
    below, source text between two tokens.
    """
    return _Frame(marks, line_of, gutter, width).lines()


class _Frame:
    def __init__(self, marks: list[Mark], line_of: Callable[[int], str], gutter: int, width: int) -> None:
        self.line_of, self.gutter, self.width = line_of, gutter, width
        self.marks = sorted(marks, key=lambda mark: (mark.row, mark.column, mark.end_column))
        self.single = [mark for mark in self.marks if mark.row == mark.end_row]
        self.blocks = [mark for mark in self.marks if mark.row != mark.end_row]
        self.open: set[Mark] = set()

    def lines(self) -> list[Line]:
        out: list[Line] = []
        last = None
        for row in sorted({row for mark in self.marks for row in mark.rows}):
            if last is not None and row == last + 2:
                # One hidden row costs as much space as the sign that it is hidden.
                out += self.row(row - 1)
            elif last is not None and row > last + 2:
                out.append([(ELLIPSIS, "gutter")])
            out += self.row(row)
            last = row
        return out

    def row(self, row: int) -> list[Line]:
        """One source row and the rows of marks under it."""
        source = self.line_of(row)
        text, columns = shown(source)

        def screen(column: int) -> int:
            return columns[min(column, len(columns)) - 1]

        ends = [screen(mark.column) for mark in self.marks if mark.row == row]
        ends += [screen(mark.end_column) for mark in self.blocks if mark.end_row == row]
        left, visible = self.window(text, columns[-1], min(ends, default=0))
        right = left + min(LONGEST_ROW, columns[-1] - left)

        def at(column: int) -> int:
            return min(max(screen(column), left), right) - left

        at_margin = [mark for mark in self.blocks if mark.row == row and not source[: mark.column - 1].strip()]
        out: list[Line] = []
        for piece in self.folded(visible):
            number = f"{row:>{self.gutter}} | " if not out else self.blank
            out.append([(number, "gutter"), *self.rails(() if out else at_margin), (piece.text.rstrip(), "")])
            self.open.update(at_margin)
            for mark in self.single:
                start, end = at(mark.column), at(mark.end_column)
                if mark.row == row and piece.holds(start, end):
                    drawn = " " * piece.at(start) + _sign(mark) * max(piece.at(end) - piece.at(start), 1)
                    out += self.labelled(drawn, mark.label if end <= piece.end else "", mark, piece.at(start))
            for mark in self.blocks:
                start = at(mark.column)
                if mark.row == row and mark not in at_margin and piece.holds(start, start):
                    out.append([(self.blank, "gutter"), *self.corner(mark, " ", piece.at(start))])
                    self.open.add(mark)
            for mark in reversed(self.blocks):
                last = max(at(mark.end_column) - 1, 0)
                if mark.end_row == row and piece.holds(last, last):
                    *rails, (drawn, _) = self.corner(mark, "|", piece.at(last))
                    self.open.remove(mark)
                    out += self.labelled(drawn, mark.label, mark, 2, rails)
        return out

    @property
    def blank(self) -> str:
        """The margin of a row that has no number."""
        return " " * self.gutter + " | "

    @property
    def room(self) -> int:
        """How many columns there are behind the margin and the bars."""
        return max(self.width - self.gutter - 3 - 2 * len(self.blocks), NARROWEST_LABEL)

    def window(self, text: str, total: int, first: int) -> tuple[int, str]:
        """The screen column the shown text starts at, and that text, cut so that column `first` is in sight."""
        if total <= LONGEST_ROW:
            return 0, text
        left = 0 if first < LONGEST_ROW * 2 // 3 else min(first - LONGEST_ROW // 4, total - LONGEST_ROW)
        right = left + LONGEST_ROW
        head = ELLIPSIS if left else ""
        tail = ELLIPSIS if right < total else ""
        return left, head + cut(text, left + len(head), right - len(tail)) + tail

    def folded(self, text: str) -> list[_Piece]:
        """A row as pieces that fit on the page; those after the first are indented a bit more than it is."""
        indent = min(len(text) - len(text.lstrip()) + 4, self.room // 3)
        pieces = [_Piece("", 0)]
        for token in filter(None, _TOKEN.findall(text)):
            if pieces[-1].end > pieces[-1].start and _width(pieces[-1].text + token.rstrip()) > self.room:
                pieces.append(_Piece(" " * indent, pieces[-1].end))
            pieces[-1].add(token)
        pieces[-1].is_last = True
        return pieces

    def labelled(self, drawn: str, label: str, mark: Mark, start: int, rails: Line | None = None) -> list[Line]:
        """The row of a mark and its label: beside it, or below where it starts if that would be too long."""
        margin: Line = [(self.blank, "gutter"), *(self.rails() if rails is None else rails)]
        if not label or _width(f"{drawn} {label}") <= self.room:
            return [[*margin, (f"{drawn} {label}".rstrip(), mark.style)]]
        below: Line = [(self.blank, "gutter"), *self.rails()]
        indent = min(start, self.room - NARROWEST_LABEL)
        lines = words(label, self.room - indent)
        return [[*margin, (drawn, mark.style)], *([*below, (" " * indent + each, mark.style)] for each in lines)]

    def rails(self, at_margin: Iterable[Mark] = ()) -> Line:
        """The bars left of the text for the marks that span several rows."""
        return [
            ("/ ", mark.style) if mark in at_margin else ("| ", mark.style) if mark in self.open else ("  ", "")
            for mark in self.blocks
        ]

    def corner(self, mark: Mark, bar: str, column: int) -> Line:
        """The row under a source row that leads a bar to where a mark over several rows starts or ends."""
        index = self.blocks.index(mark)
        inner = 2 * (len(self.blocks) - index - 1)
        return [*self.rails()[:index], (bar + "_" * (inner + 1 + column) + _sign(mark), mark.style)]


class _Piece:
    """A part of a source row, from one screen column of it to another, as it is shown behind its indent."""

    __slots__ = ("_indent", "end", "is_last", "start", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start, self.end, self._indent, self.is_last = text, start, start, len(text), False

    def add(self, token: str) -> None:
        """Go on with a token."""
        self.text += token
        self.end += _width(token)

    def holds(self, start: int, end: int) -> bool:
        """Whether what is marked from one column to another is seen here, be it in part."""
        return max(end, start + 1) > self.start and (start < self.end or self.is_last)

    def at(self, column: int) -> int:
        """Where a column of the row is seen."""
        seen = self.end if self.is_last else self.end - _width(self.text) + _width(self.text.rstrip())
        return min(max(column, self.start), seen) - self.start + self._indent


def _sign(mark: Mark) -> str:
    return "-" if mark.style == "related" else "^"
