"""The source lines a report shows, read when they are shown."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.source.text import Source


class Lines:
    """Rows of files by the names the document has for them. `stdin` is the content of the file called `stdin_name`.

    With `only_below`, there are none of files that do not lie in that folder: a report of somebody else may name any.
    """

    def __init__(
        self, stdin: bytes | None = None, stdin_name: str | None = None, *, only_below: str | None = None
    ) -> None:
        self._stdin, self._stdin_name, self._below = stdin, stdin_name, only_below
        self._sources: dict[str, Source | None] = {}

    def __call__(self, filename: str, cell: int | None, row: int) -> str | None:
        """The text of a row of a file, or of a cell of a notebook; None if there is none."""
        source = self._source(filename)
        if source is not None and cell is not None:
            row = source.notebook.row(cell, row) or 0 if source.notebook is not None else 0
        if source is None or not 1 <= row <= source.lines.rows:
            return None
        return source.lines.line_text(row)

    def raw_row(self, filename: str, cell: int, row: int) -> int | None:
        """The row of the file of a notebook in which a row of a cell is written; None if there is none."""
        source = self._source(filename)
        return None if source is None or source.notebook is None else source.notebook.raw_row(cell, row)

    def _source(self, filename: str) -> Source | None:
        if filename not in self._sources:
            self._sources[filename] = self._read(filename)
        return self._sources[filename]

    def _read(self, filename: str) -> Source | None:
        from aoti_lint.files.opener import read_file, source_kind
        from aoti_lint.source.discovery.discover import is_archive
        from aoti_lint.source.text import read_source
        from aoti_lint.text.problem import SourceProblem

        if is_archive(filename):
            return None
        if self._below is not None:
            real, folder = os.path.realpath(filename), os.path.join(os.path.realpath(self._below), "")
            if not real.startswith(folder):
                return None
        try:
            if filename == self._stdin_name and self._stdin is not None:
                data = self._stdin
            else:
                data = read_file(os.path.abspath(filename), source_kind(filename))
            return read_source(data, filename)
        except (OSError, ValueError, SourceProblem):
            return None
