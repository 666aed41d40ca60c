"""What was made of the contents of a project's files, found again by the next process."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    from aoti_lint.cache import Cache

    T = TypeVar("T")


MOST = 30_000
"""Things that are kept for one project; those go first that were not used for longest."""


class Remembered:
    """Things of JSON's types by what they were made of. The next process may want others: it is asked of other files.

    The `name` of the project only says where to look: the keys hold all that a thing depends on.
    """

    def __init__(self, cache: Cache | None, kind: str, name: str) -> None:
        self._cache, self._kind, self._name = cache, kind, f"{sys.version} {name}"
        self._before: dict[str, Any] | None = None
        self._now: dict[str, Any] = {}
        self._is_new = False

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made only if no process before this one did."""
        if self._cache is None:
            return make()
        if self._before is None:
            found = self._cache.get(self._kind, self._name)
            self._before = found if isinstance(found, dict) else {}
        told = repr(key)
        if told not in self._now:
            self._is_new = self._is_new or told not in self._before
            self._now[told] = self._before[told] if told in self._before else make()
        made: T = self._now[told]
        return made

    def end(self) -> None:
        """Keep what is there for the next process."""
        if self._cache is not None and self._is_new:
            unused = {key: made for key, made in (self._before or {}).items() if key not in self._now}
            kept = [*unused.items(), *self._now.items()][-MOST:]
            self._cache.put(self._kind, self._name, dict(kept))
            self._is_new = False
