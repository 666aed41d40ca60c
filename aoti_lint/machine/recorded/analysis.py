"""What the units that are kept ask of the analysis that they are used in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from aoti_lint.machine.recorded.questions import Answering


class Analysis(Answering, Protocol):
    """What a unit is done again in."""

    def read_again(self, paths: Iterable[str]) -> None:
        """A unit that is not run again has read these files."""

    def changed_so_far(self) -> frozenset[int]:
        """The objects of which those modules changed something that are not imported to their end."""
