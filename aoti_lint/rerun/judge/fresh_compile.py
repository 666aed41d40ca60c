"""Scripts that compile only where there is no package yet: the package of the run that failed is there."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from aoti_lint.rerun.judge.compiler_bisect import fails
from aoti_lint.rerun.named_files import text_of
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit
from aoti_lint.rerun.run.folder import Workplace

_ASKS = re.compile(r"\b(?:l?exists|is_file|isfile|getmtime|st_mtime|listdir|iterdir|r?glob)\b")
"""How scripts ask whether there is a package."""


class FreshCompile:
    """Has packages compiled anew that a run found instead. `written` are those that the program writes, as it names
    them, if it does."""

    def __init__(self, workplace: Workplace, written: Sequence[str]) -> None:
        self._workplace = workplace
        self._written = {os.path.realpath(path): path for path in written}
        self._hidden: list[str] = []

    def spoilt(self, seen: Evidence) -> bool:
        """Whether a process failed for want of what was hidden, so that it says nothing. The next ones find it."""
        if not self._hidden or not seen.failed or _compiles(seen):
            return False
        for path in self._hidden:
            self._workplace.point(path, path)
        self._hidden, self._written = [], {}
        return True

    def stale(self, seen: Evidence, failures: Sequence[bool]) -> Culprit | None:
        """The package that was there, if the program works with one that is compiled from the code that is there now.

        `failures` says of the runs before whether each failed.
        """
        if not self._hidden or seen.step.phase != "whole" or not _compiles(seen) or fails(seen):
            return None
        if not failures or not all(failures) or seen.step.config or seen.step.replace:
            return None
        named = ", ".join(self._written[path] for path in self._hidden)
        return Culprit(
            kind="package", name=named, sure=True,
            what="it was there already, and was loaded as it is; compiled anew, from the code and the weights that are "
            "there now, the program works",
            fix="Remove it, or compile whenever the code, the weights or torch are newer than the package.",
        )  # fmt: skip

    def look(self, seen: Evidence) -> str | None:
        """Hide what the process found of the user's; gives the sentence that says so."""
        if self._hidden or _compiles(seen):
            return None
        loads = [event for event in seen.events if event.event == "load" and event.asked and not event.rerun]
        asking = any(_asks(event.place.path) for event in loads if event.place is not None)
        asked = {os.path.realpath(event.asked): event.asked for event in loads if event.asked is not None}
        # Where the code does not tell what it writes, it may be what it loads.
        found = asked.keys() & self._written.keys() if self._written else asked.keys()
        self._written = self._written or {path: os.path.relpath(named) for path, named in asked.items()}
        if not asking or not found:
            return None
        self._hidden = sorted(found)
        for path in self._hidden:
            self._workplace.hide(path)
        named = ", ".join(self._written[path] for path in self._hidden)
        return f"{named} was there, and so nothing was compiled: the runs after the first compile it anew, elsewhere"


def _compiles(seen: Evidence) -> bool:
    """Whether a process compiled something, or was not meant to."""
    return seen.step.phase != "whole" or any(event.event in ("compile", "lower") for event in seen.events)


def _asks(path: str) -> bool:
    return _ASKS.search(text_of(path)) is not None
