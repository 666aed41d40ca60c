"""What all pictures say of a step and of an arrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from aoti_lint.map.model import Detail, Kind, Map, Place, Step
from aoti_lint.report.check.json_v1 import Finding
from aoti_lint.source.discovery.discover import is_archive

KINDS: Final[dict[Kind, str]] = {
    "model": "model", "op": "custom operator", "setting": "setting", "export": "export", "save": "saved program",
    "reload": "program is loaded", "package": "package", "bundle": "package of several", "archive": "named file",
    "load": "load", "host": "C++ host", "call": "call",
}  # fmt: skip
"""What each kind of step is called."""
SEVERITIES: Final = ("error", "warning", "info")
"""The most severe first."""


def where(place: Place | None) -> str:
    """`serve.py:12`; with the cell of a notebook. An archive has no rows."""
    if place is None or is_archive(place.filename):
        return "" if place is None else place.filename
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{place.filename}:{cell}{place.location.row}"


def detail(one: Detail) -> str:
    """`device: cpu`, or that it is not known and why."""
    why = "" if one.known else one.text.removesuffix(f" ({one.usual} by default)")
    return brief(one) + (f" ({why})" if why else "")


def brief(one: Detail) -> str:
    """The same without the reason."""
    if one.known:
        return f"{one.name}: {one.text}"
    return f"{one.name}: {f'{one.usual} by default' if one.usual else 'not known'}"


def lines(step: Step) -> Iterator[str]:
    """All that there is to say of a step, the kind first."""
    yield KINDS[step.kind]
    yield step.title
    if step.place is not None:
        yield where(step.place)
    yield from map(detail, step.details)


def shared(drawn: Map) -> dict[str, int]:
    """The steps that are in several flows, in their order, with how many."""
    often = Counter(ident for flow in drawn.flows for ident in flow.steps)
    return {ident: number for ident, number in often.items() if number > 1}


class Found:
    """The findings of a map by their fingerprints. Copies of one statement may share one."""

    def __init__(self, drawn: Map) -> None:
        self._numbered: dict[str, list[tuple[int, Finding]]] = {}
        for number, one in enumerate(drawn.findings):
            self._numbered.setdefault(one.fingerprint, []).append((number, one))

    def of(self, fingerprints: Iterable[str]) -> list[tuple[int, Finding]]:
        """These, each with its number in the map, the most severe first."""
        found = [pair for one in fingerprints for pair in self._numbered.get(one, ())]
        return sorted(found, key=lambda pair: (SEVERITIES.index(pair[1].severity.value), pair[0]))

    def codes(self, fingerprints: Iterable[str]) -> list[str]:
        """Their codes, each once."""
        return list(dict.fromkeys(one.code for _, one in self.of(fingerprints)))

    def worst(self, fingerprints: Iterable[str]) -> str:
        """The severity of the worst of them; empty where there is none."""
        found = self.of(fingerprints)
        return found[0][1].severity.value if found else ""
