"""What was made of the contents of files, found again by the next run over the same project."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    T = TypeVar("T")

SETTLED = 2
"""Seconds after which a file that is written again surely says so: clocks of file systems are coarse."""


class Contents:
    """Things by what they are and what they were made of. What a run has no use for is forgotten at its end."""

    def __init__(self) -> None:
        self._now: dict[Hashable, Any] = {}
        self._before: dict[Hashable, Any] = {}
        self._last: dict[str, Any] = {}

    def last(self, kind: str) -> Any:
        """What was kept of this kind by the last run that did."""
        return self._last.get(kind)

    def keep(self, kind: str, told: Any) -> None:
        """Keep something for the next run, in the place of what there was of this kind."""
        self._last[kind] = told

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made only if neither this run nor the last one did."""
        if key not in self._now:
            self._now[key] = self._before[key] if key in self._before else make()
        found: T = self._now[key]
        return found

    def of_file(self, kind: str, path: str, make: Callable[[], T]) -> T:
        """The same for a file as it is on disk, which is not read where it is what it was."""
        try:
            status = os.stat(path)
        except OSError:
            return make()
        if time.time() - status.st_mtime < SETTLED:
            return make()
        return self.once((kind, path, status.st_ino, status.st_mtime_ns, status.st_size), make)

    def end(self) -> None:
        """A run is at its end."""
        self._before, self._now = self._now, {}
