"""What was made of the contents of a project's files, found again by the next process."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    from aoti_lint.files.cache import Cache

    T = TypeVar("T")


MOST = 60_000
"""Things that are kept for one project; those go first that were not used for longest."""
FEW = 1_000
"""Things that are written beside those that are there, and not with them: an edit makes few."""


class Remembered:
    """Things of JSON's types by what they were made of. The next process may want others: it is asked of other files.

    The `name` of the project only says where to look: the keys hold all that a thing depends on.
    """

    def __init__(self, cache: Cache | None, kind: str, name: str) -> None:
        self._cache, self._kind, self._name = cache, kind, name
        self._before: dict[str, Any] = {}
        self._latest: dict[str, Any] = {}
        """What the last processes made, as far as it was written beside the rest."""
        self._now: dict[str, Any] = {}
        self._is_read = False

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made only if no process before this one did."""
        if self._cache is None:
            return make()
        if not self._is_read:
            self._is_read = True
            self._latest = self._read(self._cache, " latest")
            self._before = {**self._read(self._cache), **self._latest}
        told = repr(key)
        if told not in self._now:
            if told in self._before:
                self._now[told] = self._before[told]
            else:
                self._now[told] = self._latest[told] = make()
        made: T = self._now[told]
        return made

    def end(self) -> None:
        """Keep what is there for the next process."""
        if self._cache is None or self._latest.keys() <= self._before.keys():
            return
        if len(self._latest) <= FEW:
            self._cache.put(self._kind, self._name + " latest", self._latest)
        else:
            unused = {key: made for key, made in self._before.items() if key not in self._now}
            kept = [*unused.items(), *self._now.items()][-MOST:]
            self._cache.put(self._kind, self._name, dict(kept))
            self._cache.put(self._kind, self._name + " latest", {})
            self._latest = {}
        self._before |= self._now

    def _read(self, cache: Cache, which: str = "") -> dict[str, Any]:
        found = cache.get(self._kind, self._name + which)
        return found if isinstance(found, dict) else {}
