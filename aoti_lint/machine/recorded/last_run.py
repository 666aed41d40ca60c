"""The units of the last analysis, told together: which are as they were is found without reading what each did.

Of each there is what is needed for that, and what it did that every analysis wants. Units that were run since stand
beside them, by their places, until they are many or others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from aoti_lint.files.cache import Cache, content_hash
from aoti_lint.machine.recorded.questions import Answering, Numbered, Table, tabled
from aoti_lint.machine.recorded.unit import Key, Needs, Part, Unit, needs_of

_KIND, _SINCE = "units", "units-since"
FEW = 20
"""So many units may have been run since, or a tenth of all if that is more."""


class LastRun:
    """The units of an analysis, as they were told."""

    def __init__(self, name: str, told: dict[str, Any], since: dict[str, str]) -> None:
        """`since` has the numbers of the units that were run since, by their places."""
        self.name, self.since = name, since
        self.table = Table(told["questions"], told["contents"], told["names"])
        self._saw: list[tuple[str, str]] = told["saw"]
        self._rows: list[Any] = told["units"]
        self.order: list[tuple[Key, str]] = [
            ((row[0], row[1], row[2]), since.get(str(place), row[3])) for place, row in enumerate(self._rows)
        ]
        self._places = {key: place for place, (key, _) in enumerate(self.order)}

    def unit(self, key: Key, text: Callable[[Unit, int], bytes]) -> Unit | None:
        """A unit that was not run since; `text` reads a part of what one did."""
        place = self._places.get(key)
        if place is None or str(place) in self.since or len(self._rows[place]) == len(key) + 1:
            return None
        number, modules, imports, left, facts, cost, abouts, plain, asked, found, saw, read = self._rows[place][3:]
        parts: list[Any] = []
        made = Unit(
            key,
            number,
            modules,
            Numbered(self.table, asked),
            imports,
            {(topic, name): what for topic, name, what in left},
            facts,
            cost,
            parts,
            partial(self._needs, found, saw, read),
        )
        for at, about in enumerate(abouts):
            if about is None and plain is not None:
                parts.append((None, Part(plain)))
            else:
                parts.append((None if about is None else tuple(about), Part(partial(text, made, at))))
        return made

    def table_for(self, key: Key, number: str) -> Table | None:
        """The table of this analysis, for a unit that was run since, while no names were others."""
        place = self._places.get(key)
        return self.table if place is not None and self.since.get(str(place)) == number else None

    def told(self, unit: Unit) -> bool:
        """Whether this is one of those that were told."""
        return isinstance(unit.asked, Numbered) and unit.asked.table is self.table

    def _needs(self, found: Any, saw: Iterable[int], read: Any) -> Needs:
        return needs_of({"found": found, "saw": dict(self._saw[one] for one in saw), "read": read})


def last_run(cache: Cache, call: str) -> LastRun | None:
    """The units of the last analysis that was asked for the same `call`."""
    text = cache.get_text(_KIND, call)
    if text is None:
        return None
    try:
        since = cache.get(_SINCE, call)
        name = content_hash(text, 10)
        return LastRun(name, json.loads(text), since["units"] if since is not None and since["of"] == name else {})
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None


def tell(cache: Cache, call: str, order: list[Unit], last: LastRun | None, m: Answering) -> None:
    """Keep which units an analysis had, in the order of their ends."""
    if last is not None and [unit.key for unit in order] == [key for key, _ in last.order]:
        own = {str(place): unit.number for place, unit in enumerate(order) if not last.told(unit)}
        if len(own) <= max(FEW, len(order) // 10) and last.table.has_names(m):
            if own != last.since:
                cache.put(_SINCE, call, {"of": last.name, "units": own})
            return
    saw: dict[tuple[str, str], int] = {}
    questions, contents, asked = tabled((unit.asked for unit in order), m.content)
    try:
        rows = [_row(unit, numbers, saw) for unit, numbers in zip(order, asked, strict=True)]
    except ValueError:
        return
    told = {"questions": questions, "contents": contents, "names": m.names(), "saw": [*saw], "units": rows}
    cache.put(_KIND, call, told)


def _row(unit: Unit, asked: list[int], saw: dict[tuple[str, str], int]) -> list[Any]:
    if unit.parts is None:
        return [*unit.key, unit.number]
    needs, plain = unit.needs.told(), unit.plain()
    return [
        *unit.key,
        unit.number,
        unit.modules,
        unit.imports,
        [[topic, name, what] for (topic, name), what in unit.left.items()],
        unit.facts,
        unit.cost,
        [about for about, _ in unit.parts],
        plain.decode() if isinstance(plain, bytes) else plain,
        asked,
        needs["found"],
        [saw.setdefault(one, len(saw)) for one in needs["saw"].items()],
        needs["read"],
    ]
