"""A notebook as one virtual Python text: its code cells, joined, with IPython's own syntax made harmless.

Each cell is preceded by a marker line (`# %% cell 3`), which is how edited text finds its way back into the cells.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

from aoti_lint.files.formats import Malformed, parse_json
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.source.notebooks.magics import neutralise
from aoti_lint.source.notebooks.raw_rows import raw_rows
from aoti_lint.source.notebooks.raw_sources import with_sources
from aoti_lint.text.problem import SourceProblem

_MARKER = regex(r"# (%%+) cell ")


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number among all cells (1-based), its text, the rows it takes in the virtual text.

    `first_row` is the row after the marker. `magics` are pairs of a line as it stands in the virtual text and as it
    stands in the notebook.
    """

    number: int
    text: str
    virtual: str
    first_row: int
    rows: int
    magics: tuple[tuple[str, str], ...]


class Notebook:
    """The cells of one notebook and the virtual text made of them."""

    def __init__(self, path: str, data: bytes, document: dict[str, Any]) -> None:
        self.path = path
        self.cells: list[Cell] = []
        self._data = data
        self._raw_rows: dict[int, list[int]] | None = None
        sources = _python_cells(document)
        taken = {len(found[1]) for _, text in sources for found in _MARKER.finditer(text)}
        self._marker = "# " + "%" * next(count for count in range(2, len(taken) + 3) if count not in taken)
        row = 1
        for number, text in sources:
            virtual, magics = neutralise(text)
            rows = virtual.count("\n") + 1
            self.cells.append(Cell(number, text, virtual, row + 1, rows, tuple(magics)))
            row += rows + 1
        self.text = "".join(f"{self._marker} cell {cell.number}\n{cell.virtual}\n" for cell in self.cells)

    def place(self, row: int) -> tuple[int, int] | None:
        """Cell number and row in the cell of a row of the virtual text; None for a marker line."""
        index = bisect_right(self.cells, row, key=lambda cell: cell.first_row) - 1
        if index < 0 or row >= self.cells[index].first_row + self.cells[index].rows:
            return None
        return self.cells[index].number, row - self.cells[index].first_row + 1

    def row(self, cell: int, row: int) -> int | None:
        """The row of the virtual text for a row of a cell; None if there is no such code cell."""
        index = bisect_left(self.cells, cell, key=lambda each: each.number)
        if index == len(self.cells) or self.cells[index].number != cell or not 1 <= row <= self.cells[index].rows:
            return None
        return self.cells[index].first_row + row - 1

    def raw_row(self, cell: int, row: int) -> int | None:
        """The row of the file in which a row of a cell is written; None if there is none."""
        if self._raw_rows is None:
            self._raw_rows = raw_rows(self._data.decode("utf-8-sig", "replace"))
        rows = self._raw_rows.get(cell, [])
        return rows[row - 1] if 1 <= row <= len(rows) else None

    def write_back(self, text: str) -> bytes:
        """The notebook's bytes with the cells of `text` instead of the present ones.

        Raises `SourceProblem` if `text` lost a marker line or a line that stands for a magic.
        """
        rest = text
        parts: list[str] = []
        for cell in reversed(self.cells):
            marker = f"{self._marker} cell {cell.number}\n"
            rest, found, part = rest.rpartition(marker)
            if not found or not part.endswith("\n"):
                raise SourceProblem(self.path, f"the new text lost the start or the end of cell {cell.number}")
            parts.append(part[:-1])
        if rest:
            raise SourceProblem(self.path, "the new text has a line before the first cell")
        pairs = zip(self.cells, reversed(parts), strict=True)
        changed = {cell.number: self._restored(cell, part) for cell, part in pairs if part != cell.virtual}
        if not changed:
            return self._data
        return with_sources(self._data.decode("utf-8"), changed).encode("utf-8", "surrogatepass")

    def _restored(self, cell: Cell, part: str) -> str:
        """The new text of a cell with the magics as they were."""
        lines = part.split("\n")
        position = 0
        for virtual, original in cell.magics:
            try:
                position = lines.index(virtual, position)
            except ValueError:
                raise SourceProblem(self.path, f"the new text changes a magic in cell {cell.number}") from None
            lines[position] = original
            position += 1
        return "\n".join(lines)


def read_notebook(data: bytes, path: str) -> Notebook:
    """Read the bytes of an `.ipynb` file. A notebook in another language has no cells.

    Raises `SourceProblem` if it is not a notebook of format 4.
    """
    try:
        document = parse_json(data)
    except Malformed as error:
        raise SourceProblem(path, f"this is {error}") from None
    if not isinstance(document, dict):
        raise SourceProblem(path, "not a notebook: not a JSON object")
    if not isinstance(document.get("cells"), list):
        hint = "; convert older ones with `jupyter nbconvert --to notebook`" if "worksheets" in document else ""
        raise SourceProblem(path, f"not a notebook of format 4: no list of cells{hint}")
    return Notebook(path, data, document)


def _python_cells(document: dict[str, Any]) -> list[tuple[int, str]]:
    """Number and text of the code cells in Python."""
    metadata = _mapping(document.get("metadata"))
    kernel = _mapping(metadata.get("kernelspec"))
    language = _mapping(metadata.get("language_info")).get("name") or kernel.get("language")
    if isinstance(language, str) and "python" not in language.lower():
        return []
    cells = []
    for number, cell in enumerate(document["cells"], start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        language = _mapping(_mapping(cell.get("metadata")).get("vscode")).get("languageId", "python")
        source = cell.get("source")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if isinstance(source, str) and language == "python":
            cells.append((number, source))
    return cells


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
