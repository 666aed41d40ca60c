"""The units of an analysis: what each did, what that depends on, and where they are found again.

A unit is a module that is imported, the top level of a script, what a file outside Python starts, the functions of a
file, or an op that is tried; and, of all of these together, how they are joined with what is not Python, and what the
rules find.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from aoti_lint.files.cache import Cache
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine import written
from aoti_lint.machine.changes import Change, Wanted

if TYPE_CHECKING:
    from aoti_lint.machine.written import Files

Kind = Literal["import", "script", "launched", "functions", "op", "join", "rules"]
Key = tuple[Kind, str, int]
"""What a unit is, the path of its file or the name of the op, and the phase it is run in."""
IMPORT = 0
"""The phase of the modules that are imported: what they do is done before anything that imports them."""
SCRIPTS, LAUNCHES, FUNCTIONS = 1, 2, 3
"""The phases in which the top levels of the reported files are run, what others start, and then their functions."""
BITS = 32
"""Those of an identity that count what a root made; those above are the number of the root."""
Topic = Literal["module", "effects", "object", "left", "demand", "op", "trial", "facts"]
"""What units leave for others: a module, what importing it does to the process, what they change in an object of
another one, what roots left in an object (a script: in its module), which functions of a module need not be run, what
is registered for an op, what a function did when it was tried, and the facts that all units told so far."""
Asked = tuple[Topic, "str | int"]
Question = tuple[str, tuple[Any, ...]]
"""What a project is asked, and with which arguments."""
Did: TypeAlias = list[tuple[Change[Any], tuple[Any, ...]]]
_KIND = "unit"


class Part:
    """What a unit did about one thing, in order; read from its text when it is first wanted."""

    __slots__ = ("_at", "_did", "_text")

    def __init__(self, text: str | bytes, did: Did | None = None, at: Mapping[str, str | None] | None = None) -> None:
        """`did` is what the text says while the files it speaks of have these contents."""
        self._text, self._did, self._at = text, did, at or {}

    def did(self, files: Files) -> Did:
        """What was done. Raises `ValueError` where the text is not what was written."""
        if self._did is None or any(files.content(path) != content for path, content in self._at.items()):
            paths: set[str] = set()
            self._did = written.loads(self._text, files, paths)
            self._at = contents_of(paths, files)
        return self._did


@dataclass(slots=True, eq=False)
class Unit:
    """What one unit did, and what that depends on."""

    key: Key
    number: str
    """The same for a unit that does the same; where that cannot be told, for one that depends on the same."""
    modules: dict[str, int]
    """The modules whose top level it runs, with the numbers of their identities; several that import each other."""
    asked: dict[Question, object]
    """Questions to the project, with the answers."""
    found: dict[Asked, tuple[str, ...]]
    """What other units had left when it ran."""
    imports: list[str]
    """The modules it imports, in the order in which it first does."""
    left: dict[Asked, str]
    """What it leaves for others: the same text where that is the same."""
    facts: str
    """The same text where it tells the same facts; empty where it tells none."""
    reach: frozenset[str]
    """The modules that it can reach: those it is, imports, and these reach."""
    saw: dict[str, str]
    """The numbers of the units of these, its own aside."""
    read: frozenset[int]
    """The objects of other modules that it looked into."""
    cost: int
    """What it spent (see `METER`)."""
    parts: list[tuple[Wanted | None, Part]] | None
    """What it did, by what that is about; None for what every analysis wants. None where it has to be run again."""


def contents_of(paths: Iterable[str], files: Files) -> dict[str, str | None]:
    """The contents of these files."""
    return {path: files.content(path) for path in paths}


class Units:
    """The units that are known from earlier analyses of the same project. Not for several analyses at a time."""

    def __init__(self, cache: Cache | None = None, call: str = "", *, stays: bool = True) -> None:
        """With a cache, they are also found there, by other processes that made the same `call`.

        If it `stays`, what this process found out will be asked for again.
        """
        self._cache, self._call, self._stays = cache, call, stays
        self._known: dict[Key, Unit | None] = {}
        self._forgotten: set[Key] = set()
        """Units that are not as the cache has them."""
        self._first: dict[str, str] = {}
        """By a module that is imported together with others: the one whose unit that is."""
        self._others_write = False

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
            self._cache.put_text(_KIND, self._name(unit.key), "\n".join([_head(unit, texts), *(texts or ())]))
            for path in others:
                self._cache.put(_KIND, self._name(("import", path, IMPORT)), {"first": unit.key[1]})
        self._forgotten.discard(unit.key)
        if self._stays:
            self._known[unit.key] = unit
        else:
            # What it did is much, and nobody asks again unless the analysis has to begin again.
            self._known.pop(unit.key, None)
            unit.parts = None

    def forget(self, key: Key) -> None:
        """A unit is not as it was."""
        self._known.pop(key, None)
        self._forgotten.add(key)

    def forget_all(self) -> None:
        """What is known is of no use."""
        self._cache, self._known = None, {}

    def keep(self, used: set[Key]) -> None:
        """An analysis is at its end: units that it had no use for are forgotten."""
        self._known = {key: unit for key, unit in self._known.items() if key in used and unit is not None}

    def _read(self, key: Key) -> Unit | None:
        data = None if self._cache is None else self._cache.get_text(_KIND, self._name(key))
        if data is None:
            return None
        head, *texts = data.split(b"\n")
        try:
            told = json.loads(head)
            if "first" in told:
                self._first[key[1]] = told["first"]
                return None
            return _unit(key, told, texts)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None

    def _name(self, key: Key) -> str:
        return f"{self._call} {key!r}"


def _head(unit: Unit, texts: list[str] | None) -> str:
    told = {
        "number": unit.number,
        "modules": unit.modules,
        "asked": [[question, given, answer] for (question, given), answer in unit.asked.items()],
        "found": [[topic, name, numbers] for (topic, name), numbers in unit.found.items()],
        "imports": unit.imports,
        "left": [[topic, name, what] for (topic, name), what in unit.left.items()],
        "facts": unit.facts,
        "saw": unit.saw,
        "read": _by_number(unit.read),
        "cost": unit.cost,
        "about": None if texts is None else [about for about, _ in unit.parts or ()],
    }
    return json.dumps(told, separators=(",", ":"))


def _by_number(identities: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for one in sorted(identities):
        found.setdefault(one >> BITS, []).append(one & ((1 << BITS) - 1))
    return found


def _unit(key: Key, told: dict[str, Any], texts: list[bytes]) -> Unit:
    parts = None if told["about"] is None else [
        (None if about is None else tuple(about), Part(text))
        for about, text in zip(told["about"], texts, strict=True)
    ]  # fmt: skip
    return Unit(
        key,
        told["number"],
        told["modules"],
        {(question, tuple(given)): answer for question, given, answer in told["asked"]},
        {(topic, name): tuple(numbers) for topic, name, numbers in told["found"]},
        told["imports"],
        {(topic, name): what for topic, name, what in told["left"]},
        told["facts"],
        frozenset({*told["saw"], *told["modules"]}),
        told["saw"],
        frozenset((int(number) << BITS) + low for number, those in told["read"].items() for low in those),
        told["cost"],
        parts,
    )
