"""Code frames: source lines with labelled marks under them.

A frame is made as lines of styled segments, so that the plain and the coloured report are one and the same.
"""

from __future__ import annotations

from aoti_lint.report.columns import cut, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Segment: TypeAlias = tuple[str, str]
    """A piece of text and the name of its style; the empty name is plain."""
    Line: TypeAlias = list[Segment]

ELLIPSIS = "..."
LONGEST_BLOCK = 5
"""A mark over more rows than this shows its first two and its last."""


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
    """Draw the rows of `marks`, each mark with its label, source text cut to `width` screen columns.

    `line_of` gives the text of a row. `gutter` is the width of the row numbers.
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
        right = left + min(self.width, columns[-1] - left)

        def at(column: int) -> int:
            return min(max(screen(column), left), right) - left

        at_margin = [mark for mark in self.blocks if mark.row == row and not source[: mark.column - 1].strip()]
        out = [[(f"{row:>{self.gutter}} | ", "gutter"), *self.rails(at_margin), (visible, "")]]
        self.open.update(at_margin)
        blank = (" " * self.gutter + " | ", "gutter")
        for mark in self.single:
            if mark.row == row:
                start, end = at(mark.column), at(mark.end_column)
                drawn = " " * start + _sign(mark) * max(end - start, 1)
                out.append([blank, *self.rails(), *_labelled(drawn, mark)])
        for mark in self.blocks:
            if mark.row == row and mark not in at_margin:
                out.append([blank, *self.corner(mark, " ", at(mark.column))])
                self.open.add(mark)
        for mark in reversed(self.blocks):
            if mark.end_row == row:
                out.append([blank, *self.corner(mark, "|", max(at(mark.end_column) - 1, 0))])
                self.open.remove(mark)
        return out

    def window(self, text: str, total: int, first: int) -> tuple[int, str]:
        """The screen column the shown text starts at, and that text, cut so that column `first` is in sight."""
        if total <= self.width:
            return 0, text
        left = 0 if first < self.width * 2 // 3 else min(first - self.width // 4, total - self.width)
        right = left + self.width
        head = ELLIPSIS if left else ""
        tail = ELLIPSIS if right < total else ""
        return left, head + cut(text, left + len(head), right - len(tail)) + tail

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
        drawn = bar + "_" * (inner + 1 + column) + _sign(mark)
        return [*self.rails()[:index], *(_labelled(drawn, mark) if bar == "|" else [(drawn, mark.style)])]


def _sign(mark: Mark) -> str:
    return "-" if mark.style == "related" else "^"


def _labelled(drawn: str, mark: Mark) -> Line:
    return [(f"{drawn} {mark.label}" if mark.label else drawn, mark.style)]
