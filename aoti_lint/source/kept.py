"""What was made of the contents of files, found again by the next run over the same project."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    T = TypeVar("T")


class Kept:
    """Things by what they are and what they were made of. What a run has no use for is forgotten at its end."""

    def __init__(self) -> None:
        self._now: dict[Hashable, Any] = {}
        self._before: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made only if neither this run nor the last one did."""
        if key not in self._now:
            self._now[key] = self._before[key] if key in self._before else make()
        found: T = self._now[key]
        return found

    def end(self) -> None:
        """A run is at its end."""
        self._before, self._now = self._now, {}
