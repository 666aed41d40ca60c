"""Regular expressions that are compiled when they are first used: a run uses few of those that there are."""

from __future__ import annotations

import re

__all__ = ["regex"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import compile as regex
    from typing import Any
else:

    def regex(text, flags=0):
        """As `re.compile`."""
        return _Pattern(text, flags)


class _Pattern:
    """One that is not compiled yet. Its methods become its own attributes, as quick as those of `re.Pattern`."""

    def __init__(self, text: Any, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        made = re.compile(*self._given)
        vars(self).update((each, getattr(made, each)) for each in dir(made) if not each.startswith("_"))
        return getattr(made, name)
