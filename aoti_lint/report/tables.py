"""Tables for people: what is in them, and how rich draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aoti_lint.quoting.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table as Drawn
    from rich.text import Text

    from aoti_lint.report.styled import Segment

_NUMBERS = {"bytes", "cases", "count"}


@dataclass(frozen=True, slots=True)
class Table:
    """Columns with their headings, and rows of cells, plain or styled. With a title it has a line below the head."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Segment, ...], ...]


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], limit: int | None = None) -> Table:
    """A table of `rows`, the first `limit` of them, with columns that are empty everywhere left out.

    A cell may be a segment with its style, None is an empty one.
    """
    cells = [[_cell(value) for value in row] for row in rows]
    kept = [index for index in range(len(columns)) if any(row[index][0] for row in cells)]
    shown = [tuple(row[index] for index in kept) for row in cells[:limit]]
    if limit is not None and len(cells) > limit:
        shown.append(((f"… and {len(cells) - limit} more (--all)", ""),))
    return Table(title, tuple(columns[index] for index in kept), tuple(shown))


def _cell(value: object) -> Segment:
    if isinstance(value, tuple):
        text, style = value
        return str(text), str(style)
    return "" if value is None else str(value), ""


def drawn(table: Table) -> Drawn:
    """The table as rich draws it."""
    from rich import box
    from rich.table import Table as Drawn

    if table.title:
        made = Drawn(
            title=_text(table.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False,
            pad_edge=False,
        )  # fmt: skip
    else:
        made = Drawn(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in table.columns:
        made.add_column(heading, overflow="fold", justify="right" if heading in _NUMBERS else "left")
    for row in table.rows:
        made.add_row(*(_text(*cell) for cell in row))
    return made


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(visible(text), style)
