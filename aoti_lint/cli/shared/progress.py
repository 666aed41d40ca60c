"""A sign of life on standard error during long runs on a terminal."""

from __future__ import annotations

import sys

from aoti_lint.quoting.terminal import status

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading

PATIENCE = 1.5
"""Seconds before anything is shown."""


class Progress:
    """Shows the seconds that have passed, from `PATIENCE` on, while the block runs; wipes them out at its end."""

    def __enter__(self) -> Progress:
        self._stop = None
        if sys.stderr.isatty():
            import threading

            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._show, args=(self._stop,), daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._stop is not None:
            self._stop.set()
            self._thread.join()

    @staticmethod
    def _show(stop: threading.Event) -> None:
        seconds, shown = PATIENCE, False
        while not stop.wait(PATIENCE if not shown else 1):
            shown = True
            status(f"aoti-lint: analysing, {int(seconds)} s")
            seconds += 1
        if shown:
            status("")
