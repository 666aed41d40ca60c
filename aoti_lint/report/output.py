"""Where a report goes: standard output or a file, in colour only on a terminal."""

from __future__ import annotations

import os
import sys

from aoti_lint.errors import CannotRun
from aoti_lint.report.text import PLAIN_WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

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


class Output:
    """A text stream that takes plain and styled lines. Use it as a context manager.

    `path` is a file to write instead of standard output. Raises `CannotRun` when that cannot be opened.
    """

    def __init__(self, path: str | None) -> None:
        self._console: Console | None = None
        if path is None:
            self.stream: TextIO = sys.stdout
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
        if self.stream is not sys.stdout:
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
