"""Reads what the debug printer wrote: which kernel began and did not end.

Level 3 prints `[ before_launch: NAME ]`, level 2 `[  before_launch - NAME - ARGUMENT  ]:`, level 1 the file it saved
(run on torch 2.13 and 2.11). Another library may print between these lines, and into them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LAUNCH = re.compile(r"\[\s+(?P<when>before|after)_launch(?::| -) (?P<name>\S+)(?: - (?P<argument>\S+))?\s+\]")


@dataclass(slots=True)
class Kernels:
    """The kernels in the order of their launches, as far as a log tells."""

    begun: list[str] = field(default_factory=list)
    at: int = 0
    _when: str = ""

    def look(self, at: int, text: str) -> None:
        """Take a line of a log."""
        for found in _LAUNCH.finditer(text):
            name, when = found["name"], found["when"]
            new = not self.begun or self.begun[-1] != name or (when == "before" and self._when == "after")
            if when == "before" and new:
                self.begun.append(name)
                self.at = at
            self._when = when

    @property
    def unfinished(self) -> str | None:
        """The kernel that began last, if no line says that it ended."""
        return self.begun[-1] if self.begun and self._when == "before" else None

    @property
    def last(self) -> str | None:
        """The kernel that began last."""
        return self.begun[-1] if self.begun else None
