"""Where a report goes: standard output or a file, in colour only on a terminal."""

from __future__ import annotations

import os
import sys

from aoti_lint.errors import CannotRun
from aoti_lint.report.text import PLAIN_WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TextIO

    from rich.console import Console

    from aoti_lint.report.frame import Line

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "related": "bold blue",
    "gutter": "blue",
    "name": "bold",
    "message": "bold",
}
NARROWEST, WIDEST = 40, 160
TABLE_WIDTH = 160
"""Columns for a table where there is no terminal."""


class Output:
    """A text stream that takes plain and styled lines. Use it as a context manager.

    `path` is a file to write instead of `stream`, which is standard output if none is given. Raises `CannotRun` when
    the file cannot be opened.
    """

    def __init__(self, path: str | None, stream: TextIO | None = None) -> None:
        self._console: Console | None = None
        self._own = path is not None
        if path is None:
            self.stream: TextIO = sys.stdout if stream is None else stream
            # A character the terminal's encoding lacks must not end the run.
            getattr(self.stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
            if wants_color(self.stream):
                self._console = _console(self.stream)
        else:
            try:
                self.stream = open(path, "w", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
            except OSError as error:
                raise CannotRun(f"{path}: {error.strerror or error}") from None

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *_: object) -> None:
        if self._own:
            self.stream.close()

    @property
    def width(self) -> int:
        """How many columns a frame may use for source text."""
        if not self.stream.isatty():
            return PLAIN_WIDTH
        import shutil

        # The rest is for row numbers and bars.
        return min(max(shutil.get_terminal_size().columns - 12, NARROWEST), WIDEST)

    def plain(self, text: str) -> None:
        """Write one line as it is."""
        self.stream.write(text + "\n")

    def styled(self, lines: Iterable[Line]) -> None:
        """Write lines of styled segments."""
        if self._console is None:
            for line in lines:
                self.plain("".join(text for text, _ in line).rstrip())
            return
        from rich.text import Text

        for line in lines:
            self._console.print(Text.assemble(*((text, STYLES.get(style, "")) for text, style in line)), soft_wrap=True)

    def tables(self) -> Console:
        """Where tables are printed: as wide as the terminal; without one, no line ends in blanks."""
        if self._console is not None:
            return self._console
        from rich.console import Console

        file: Any = self.stream if self.stream.isatty() else _Trimmed(self.stream)
        return Console(
            file=file, no_color=True, force_terminal=False, highlight=False, markup=False, emoji=False,
            width=None if self.stream.isatty() else TABLE_WIDTH,
        )  # fmt: skip


class _Trimmed:
    """A stream that leaves out the blanks that fill a table's cells to the right."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._line = stream, ""

    def write(self, text: str) -> int:
        """Pass on all lines that are complete."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._stream.write(line.rstrip(" ") + "\n")
        return len(text)

    def flush(self) -> None:
        """Nothing: what is left is no whole line."""

    def isatty(self) -> bool:
        return False


def wants_color(stream: TextIO) -> bool:
    """Whether to colour: https://no-color.org and https://force-color.org first, else only a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, force_terminal=True, highlight=False, markup=False, emoji=False)
