"""Code that is not followed to its end: how the summary says so, in a sentence however much it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

TOO_LARGE = "too much code to check to its end"
TOO_DEEP = "nested too deeply to check to its end"
ALONE = 3
"""So many are named one by one."""


class Unfinished(NamedTuple):
    """The top level of a file, or a function (`path::Class.method`), and why what comes after is not known."""

    root: str
    reason: str

    @property
    def path(self) -> str:
        """The file, relative to the root of the project."""
        return self.root.split("::")[0]

    def __str__(self) -> str:
        return f"{self.root}{'' if '::' in self.root else ', outside of functions'}: {self.reason}"


def notes(unfinished: Iterable[Unfinished]) -> list[str]:
    """What the summary says of them."""
    found: list[str] = []
    by_reason: dict[str, list[Unfinished]] = {}
    for one in dict.fromkeys(unfinished):
        by_reason.setdefault(one.reason, []).append(one)
    for reason, those in by_reason.items():
        if len(those) <= ALONE:
            found += map(str, those)
        else:
            files = len({one.path for one in those})
            where = those[0].path if files == 1 else f"{files} files"
            found.append(
                f"{len(those)} parts of {where}, such as {those[0].root}: {reason}; "
                "--why-silent FILE:LINE names those of a file"
            )
    return found
