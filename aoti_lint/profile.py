"""Where the time of a run goes: what is worked on from when to when, each piece of work inside the one that needs it.

Nothing is noted unless somebody asks for it, and rules cannot ask.
"""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Piece: TypeAlias = tuple[str, str]
    """A piece of work: its kind (`step`, `read` of a file, `run` of a root, `rule`) and its name."""


class Timer:
    """Notes nothing: what there is where nobody asked."""

    is_on = False

    def during(self, kind: str, name: str) -> Timer:
        """A context that such a piece of work is done in."""
        return self

    def __enter__(self) -> None:
        """It begins."""

    def __exit__(self, *_: object) -> None:
        """It has ended."""


OFF = Timer()
"""The one that notes nothing."""


class Profile(Timer):
    """Notes when pieces of work began and ended."""

    is_on = True

    def __init__(self) -> None:
        self.marks: list[tuple[Piece | None, float]] = []
        """What began, and when, in seconds; None: the last that had begun, and not ended, has ended."""
        self._next: Piece = ("", "")

    def during(self, kind: str, name: str) -> Timer:
        self._next = kind, name
        return self

    def __enter__(self) -> None:
        self.marks.append((self._next, perf_counter()))

    def __exit__(self, *_: object) -> None:
        self.marks.append((None, perf_counter()))
