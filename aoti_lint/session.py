"""One project that is checked again and again while its files are edited: for editors, and for `check --watch`.

    session = Session(Options([], Config()))
    session.open("serve.py", text)
    report = session.diagnostics()
    session.edit("serve.py", text)
    report = session.diagnostics()

What it says is what the command would say of the same files with the same contents, however they came to be so. What
does not depend on an edit is not done again.
"""

from __future__ import annotations

import os
from threading import Lock

from aoti_lint.engine.check import Report, check
from aoti_lint.engine.kept import Kept
from aoti_lint.options import Options
from aoti_lint.source.remembered.in_memory import Contents
from aoti_lint.values.meter import METER, Cancelled

__all__ = ["Cancelled", "Session"]


class Session:
    """Checks what `options` name, and the files that are open. Every check reads from disk what is not open.

    One session checks at a time in a process. Its methods may be called in any thread.
    """

    def __init__(self, options: Options) -> None:
        """`options.paths` may be empty: then only what is open is checked, the rest of the project is context."""
        self._options = options
        self._contents = Contents()
        self._kept = Kept(self._contents)
        self._changes = Lock()

    def open(self, path: str, text: str | bytes) -> None:
        """A file is opened with this content, saved or not; it is checked until it is closed."""
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        with self._changes:
            self._kept.buffers = {**self._kept.buffers, os.path.abspath(path): data}

    def edit(self, path: str, text: str | bytes) -> None:
        """An open file has another content now."""
        self.open(path, text)

    def close(self, path: str) -> None:
        """A file is no longer open: what counts is on disk."""
        with self._changes:
            self._kept.buffers = {one: data for one, data in self._kept.buffers.items() if one != os.path.abspath(path)}

    def diagnostics(self) -> Report:
        """What there is to say now.

        Raises `CannotRun` as the command does, and `Cancelled` where `cancel` was called meanwhile.
        """
        with _CHECKING:
            METER.begin()
            try:
                return check(self._options, kept=self._kept)
            finally:
                self._contents.end()

    def cancel(self) -> None:
        """End the check that runs in another thread: nobody wants to know any more."""
        METER.cancel()


_CHECKING = Lock()
