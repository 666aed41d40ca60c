"""A unit that reads the facts, and depends on what it reads of them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from aoti_lint.values.events.kinds import ALL, REST

if TYPE_CHECKING:
    from aoti_lint.machine.changes import Wanted
    from aoti_lint.machine.recorded.noted import Noted
    from aoti_lint.machine.recorded.recording import Recording
    from aoti_lint.machine.recorded.unit import Topic
    from aoti_lint.source.project import Project

EVENTS = "events"
"""With the name of a kind of events: what happens."""


class Telling(Protocol):
    """An analysis with the facts that it tells."""

    recording: Recording | None
    project: Project

    def asks(self, topic: Topic, name: str | int) -> None:
        """What runs now depends on what other units left."""

    def want(self, about: Wanted | None) -> None:
        """What units did about this is wanted now."""

    def waiting(self, topic: str) -> set[str]:
        """The names of what units did something about that nobody wanted to know so far."""


class Reader:
    """Whatever runs in this analysis, and asks for facts by this topic."""

    def __init__(self, m: Telling, topic: Topic = "facts") -> None:
        self._m, self._topic = m, topic

    def asks_for(self, kinds: Iterable[str]) -> None:
        """What runs now depends on all facts of these kinds that units told so far."""
        for kind in kinds:
            self._m.asks(self._topic, kind)
            for name in sorted(self._m.waiting(EVENTS)) if kind == ALL else (kind,):
                self._m.want((EVENTS, name))

    def asks_for_rest(self) -> None:
        """What runs now depends on which files there are, and on the facts that nobody asks for by a kind."""
        self.asks_for((REST,))
        self._m.project.outline  # noqa: B018  # asking is all

    def noting(self) -> AbstractContextManager[Noted]:
        """Something is made that others will use, too: gives what it depends on."""
        return self._recording.notes.making()

    def uses(self, made: Noted) -> None:
        """Something is used that was made so."""
        self._recording.notes.use(made)

    @property
    def _recording(self) -> Recording:
        recording = self._m.recording
        assert recording is not None
        return recording
