"""The facts that the units of an analysis told so far, for who asks whether they are what they were."""

from __future__ import annotations

from collections.abc import Mapping

from aoti_lint.files.cache import content_hash
from aoti_lint.values.events.kinds import ALL, UNKNOWN


class FactsTold:
    """By their kinds: what tells apart the facts of each unit that told some (see `Unit.facts`)."""

    def __init__(self) -> None:
        self._kinds: dict[str, list[list[str]]] = {}
        self._told: dict[tuple[str, bool], str] = {}
        """What was said since a unit last told some."""

    def add(self, facts: Mapping[str, list[str]]) -> None:
        """A unit told these."""
        if facts:
            self._told.clear()
        for kind, texts in facts.items():
            self._kinds.setdefault(kind, []).append(texts)

    def so_far(self, kind: str, *, alike: bool) -> str:
        """The same text for the same facts of a kind; or for such as differ in how things are numbered alone."""
        told = self._told.get((kind, alike))
        if told is None:
            kinds = sorted(self._kinds) if kind == ALL else (kind, UNKNOWN)
            texts = [(one, [each[-1 if alike else 0] for each in self._kinds.get(one, ())]) for one in kinds]
            told = self._told[kind, alike] = content_hash(repr(texts).encode(), 10)
        return told
