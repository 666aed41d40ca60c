"""The kinds of events by their names."""

from __future__ import annotations

from functools import cache

from aoti_lint.values.events import compiled, exports, packages  # noqa: F401  # the kinds that are kinds of others
from aoti_lint.values.events.event import Event

ALL = "*"
"""Stands for all kinds."""
FOLDERS, INPUTS = "folders", "inputs"
"""Stand for the folders that are made, and for the tensors that custom ops are called with."""
UNKNOWN = "?"
"""Stands for some that are not known."""
REST = ""
"""Stands for all other facts."""


def name_of(event: Event) -> str:
    """What the kind of an event is known by."""
    return type(event).__name__


@cache
def kinds_of(types: tuple[type[Event], ...]) -> tuple[str, ...]:
    """The names of the kinds that events of these types may be of."""
    if Event in types:
        return (ALL,)
    below = (kind for one in types for kind in kinds_of(tuple(one.__subclasses__())))
    return tuple(dict.fromkeys((*(one.__name__ for one in types), *below)))
