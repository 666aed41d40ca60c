"""The units of analyses, and where they are found again."""

from __future__ import annotations

import json
from typing import Any

from aoti_lint.files.cache import Cache
from aoti_lint.machine.recorded.last_run import LastRun, last_run, tell
from aoti_lint.machine.recorded.questions import Answering, Answers, Table
from aoti_lint.machine.recorded.unit import IMPORT, Key, Part, Unit, needs_of

KIND = "unit"
MANY = 32
"""So many units are told together once more, to be found without reading what is kept of each."""


class Units:
    """The units that are known from earlier analyses of the same project. Not for several analyses at a time."""

    def __init__(self, cache: Cache | None = None, call: str = "", files: str = "", *, stays: bool = True) -> None:
        """With a cache, they are also found there, by other processes that made the same `call`.

        `files` are those that this run is about, as a text. If it `stays`, what this process found out will be asked
        for again.
        """
        self._cache, self._call, self._stays = cache, call, stays
        self._run = f"{call} {files}"
        self._known: dict[Key, Unit | None] = {}
        self._forgotten: set[Key] = set()
        """Units that are not as the cache has them."""
        self._first: dict[str, str] = {}
        """By a module that is imported together with others: the one whose unit that is."""
        self._others_write = False
        self._texts: dict[Key, list[bytes]] = {}
        """What was read of units that the last analysis told of."""
        self._last: LastRun | None = None if cache is None else last_run(cache, self._run)
        self.order = [] if self._last is None else self._last.order
        """The units of the last analysis, in the order of their ends."""

    def get(self, key: Key) -> Unit | None:
        """What is known of a unit."""
        if key in self._forgotten:
            return None
        found = self._known.get(key)
        if found is None and (self._others_write or key not in self._known):
            found = self._known[key] = self._read(key)
        return found

    def of_module(self, path: str) -> Unit | None:
        """The unit that imports a module, by what is known."""
        return self.get(("import", path, IMPORT)) or self.get(("import", self._first.get(path, path), IMPORT))

    def take_from_others(self) -> bool:
        """Look for what other processes write from now on, which make the same call; False where nothing is found."""
        self._others_write = self._cache is not None and self._cache.keeps
        return self._others_write

    def put(self, unit: Unit, texts: list[str] | None) -> None:
        """Keep what a unit did; `texts` has its parts as they are written, None where that cannot be done."""
        others = unit.modules.keys() - {unit.key[1]}
        self._first |= dict.fromkeys(others, unit.key[1])
        if self._cache is not None:
            self._cache.put_text(KIND, self._name(unit.key), "\n".join([_head(unit, texts), *(texts or ())]))
            for path in others:
                self._cache.put(KIND, self._name(("import", path, IMPORT)), {"first": unit.key[1]})
        self._forgotten.discard(unit.key)
        if self._stays:
            self._known[unit.key] = unit
        else:
            # What it did is much, and nobody asks again unless the analysis has to begin again.
            self._known.pop(unit.key, None)
            unit.shorten(self._text)

    def forget(self, key: Key) -> None:
        """A unit is not as it was."""
        self._known.pop(key, None)
        self._forgotten.add(key)

    def forget_all(self) -> None:
        """What is known is of no use: what the last analysis told, or else what is kept of each."""
        if self._last is None:
            self._cache = None
        self._known, self._texts, self._last, self.order = {}, {}, None, []

    def keep(self, order: list[Unit], m: Answering) -> None:
        """An analysis is at its end, with these units: others are forgotten."""
        used = {unit.key for unit in order}
        self._known = {key: unit for key, unit in self._known.items() if key in used and unit is not None}
        self._texts.clear()
        if self._cache is not None and self._cache.keeps and len(order) >= MANY and not self._stays:
            tell(self._cache, self._run, order, self._last, m)
        self.order = [(unit.key, unit.number) for unit in order]

    def _read(self, key: Key) -> Unit | None:
        if self._last is not None and not self._others_write:
            found = self._last.unit(key, self._text)
            if found is not None:
                self._first |= dict.fromkeys(found.modules.keys() - {key[1]}, key[1])
                return found
        lines = self._lines(key)
        if lines is None:
            return None
        head, *texts = lines
        try:
            told = json.loads(head)
            if "first" in told:
                self._first[key[1]] = told["first"]
                return None
            table = None if self._last is None else self._last.table_for(key, told["number"])
            return _unit(key, told, texts, table)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None

    def _lines(self, key: Key) -> list[bytes] | None:
        data = None if self._cache is None else self._cache.get_text(KIND, self._name(key))
        return None if data is None else data.split(b"\n")

    def _text(self, unit: Unit, number: int) -> bytes:
        """A part of what a unit did, as it is written. Raises `ValueError` where it is not there any more."""
        if unit.key not in self._texts:
            head, *texts = self._lines(unit.key) or [b""]
            if not head.startswith(_begin(unit.number).encode()):
                raise ValueError(f"{unit.key} is another one now")
            self._texts[unit.key] = texts
        try:
            return self._texts[unit.key][number]
        except IndexError:
            raise ValueError(f"{unit.key} has no part {number}") from None

    def _name(self, key: Key) -> str:
        return f"{self._call} {key!r}"


def _begin(number: str) -> str:
    return f'{{"number":"{number}"'


def _head(unit: Unit, texts: list[str] | None) -> str:
    needs = unit.needs
    told = {
        "number": unit.number,
        "modules": unit.modules,
        "asked": [[question, given, answer] for (question, given), answer in unit.asked.told().items()],
        "imports": unit.imports,
        "left": [[topic, name, what] for (topic, name), what in unit.left.items()],
        "facts": unit.facts,
        "cost": unit.cost,
        "about": None if texts is None else [about for about, _ in unit.parts or ()],
        **needs.told(),
    }
    return json.dumps(told, separators=(",", ":"))


def _unit(key: Key, told: dict[str, Any], texts: list[bytes], table: Table | None) -> Unit:
    parts = None if told["about"] is None else [
        (None if about is None else tuple(about), Part(text))
        for about, text in zip(told["about"], texts, strict=True)
    ]  # fmt: skip
    asked = {(question, tuple(given)): answer for question, given, answer in told["asked"]}
    left = {(topic, name): what for topic, name, what in told["left"]}
    needs = needs_of(told)
    return Unit(key, told["number"], told["modules"], Answers(asked, table), told["imports"], left, told["facts"],
                told["cost"], parts, needs)  # fmt: skip
