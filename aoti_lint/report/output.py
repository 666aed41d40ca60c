"""Where a report goes: standard output or a file, in colour only on a terminal."""

from __future__ import annotations

import io
import os
import sys

from aoti_lint.quoting.terminal import Shown, fitted, line, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Literal, TextIO

    from rich.console import Console
    from rich.style import Style

    from aoti_lint.files.writer import Target
    from aoti_lint.quoting.marked import Marked
    from aoti_lint.report.styled import Line, Segment
    from aoti_lint.report.tables import Table

    Color = Literal["auto", "always", "never"]

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "related": "bold blue",
    "gutter": "blue",
    "name": "bold",
    "message": "bold",
}
"""What the names of styles stand for; others are rich's own."""
NARROWEST, WIDEST = 40, 160
PLAIN_WIDTH = 120
"""Width of a page where there is no terminal: fixed, so that two runs print the same."""
TABLE_WIDTH = 160
"""Columns for a table where there is no terminal."""


GONE: list[bool] = []
"""Whether the reader of standard output has gone: what goes on for ever ends then."""


class Output:
    """A text stream that takes lines, tables and documents. Use it as a context manager.

    Every plain `str` in a line or a table is shown and never obeyed; see `quoting.terminal`. `target` is a file to
    write instead of `stream`, which is standard output if none is given: it is written at the end, if all went well,
    and without colours. If it `fits`, lines that are wider than a terminal are broken between words.
    """

    def __init__(
        self, target: Target | None, stream: TextIO | None = None, color: Color = "auto", *, fits: bool = False
    ) -> None:
        self._console: Console | None = None
        self._target, self._fits = target, fits
        self._data = io.BytesIO()
        if target is not None:
            self.stream: TextIO = io.TextIOWrapper(self._data, "utf-8", "surrogateescape", "\n")
            return
        self.stream = sys.stdout if stream is None else stream
        if wants_color(self.stream, color):
            self._console = _console(self.stream)

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: object, *_: object) -> bool:
        """Write the file. That nobody reads standard output to its end (`| head`) changes no exit code."""
        if self._target is not None:
            if kind is None:
                self.stream.flush()
                self._target.write(self._data.getvalue())
            return False
        try:
            if kind is None:
                self.stream.flush()
        except BrokenPipeError as error:
            kind = type(error)
        if kind is not BrokenPipeError or self.stream is not sys.stdout:
            return False
        silence()
        return True

    @property
    def width(self) -> int:
        """How many columns a page may use."""
        return width_of(self.stream)

    @property
    def links(self) -> bool:
        """Whether names of files may be links: on a terminal that shows colours.

        VS Code makes its own of them, which lead to the row as well.
        """
        if self._console is None or not self.stream.isatty():
            return False
        return os.environ.get("TERM") != "dumb" and os.environ.get("TERM_PROGRAM") != "vscode"

    def document(self, text: Marked) -> None:
        """Write what is a document of its own, quoted already."""
        write(self.stream, text)
        if not text.endswith("\n"):
            write(self.stream, Shown("\n"))

    def line(self, *pieces: str | Segment) -> None:
        """Write one line, of plain and of styled pieces."""
        self.styled([[(piece, "") if isinstance(piece, str) else piece for piece in pieces]])

    def styled(self, lines: Iterable[Line]) -> None:
        """Write lines of styled segments."""
        for segments in self._broken(lines) if self._fits and self.stream.isatty() else lines:
            self._written([(text, STYLES.get(style, style)) for text, style in segments])

    def _broken(self, lines: Iterable[Line]) -> Iterator[Line]:
        from aoti_lint.report.styled import wrapped

        width = self.width
        for segments in lines:
            text = "".join(piece for piece, _ in segments)
            yield from wrapped(segments, width, min(len(text) - len(text.lstrip()) + 2, width // 2))

    def table(self, table: Table) -> None:
        """Write a table as wide as the terminal. Without one, no line ends in blanks."""
        from rich.console import Console

        from aoti_lint.report.tables import drawn

        width = None if self.stream.isatty() else TABLE_WIDTH
        console = self._console or Console(file=self.stream, no_color=True, force_terminal=False, width=width)
        for row in console.render_lines(drawn(table), pad=False):
            # What was folded may begin a line only now.
            self._written([(each.text, each.style or "") for each in row])

    def _written(self, pieces: Sequence[tuple[str, str | Style]]) -> None:
        if self._console is None:
            write(self.stream, Shown(line("".join(text for text, _ in pieces).rstrip()) + "\n"))
            return
        from rich.text import Text

        shown = fitted(text for text, _ in pieces)
        styles = [style for _, style in pieces]
        self._console.print(Text.assemble(*zip(shown, styles, strict=True)), soft_wrap=True)


def width_of(stream: TextIO) -> int:
    """How many columns a page may use there."""
    if not stream.isatty():
        return PLAIN_WIDTH
    import shutil

    return min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)


def silence() -> None:
    """Send what is written from here on nowhere: Python would complain once more when it closes stdout at exit."""
    GONE.append(True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wants_color(stream: TextIO, color: Color = "auto") -> bool:
    """Whether to colour: as it was asked for, or https://no-color.org and https://force-color.org, or on a terminal."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def file_link(path: str) -> str:
    """The address of a file, with the machine it is on: a terminal may show what another one prints."""
    import platform
    from pathlib import Path

    return Path(path).as_uri().replace("file://", f"file://{platform.node()}", 1)


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    # It is decided already: rich would ask the environment once more.
    system: Literal["auto", "standard"] = "standard" if os.environ.get("TERM") == "dumb" else "auto"
    return Console(
        file=stream, force_terminal=True, no_color=False, color_system=system, highlight=False, markup=False,
        emoji=False,
    )  # fmt: skip
