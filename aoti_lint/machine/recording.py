"""What the units of an analysis did, kept so that those nothing has changed for need not be run again.

A unit is a module that is imported, the top level of a script, the functions of a file, or an op that is tried. What it
does to what all units share goes through `Machine.do`, which writes it down; what it asks of the project, and of what
other units left, is written down with the answers. Where all answers are the same again, what it did is done again,
without running it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import count
from typing import Any, Literal, Protocol

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.source.asked import READ
from aoti_lint.values.meter import METER

Kind = Literal["import", "script", "functions", "op"]
Key = tuple[Kind, str, int]
"""What a unit is, the path of its file or the name of the op, and the phase it is run in."""
Change = Callable[..., None]
"""Something done to what units share: a function of the machine and of what it was given."""
Topic = Literal["module", "left", "demand", "op", "trial"]
"""What units leave for others: what a module and its objects hold, what roots left in it, which of its functions need
not be run, what is registered for an op, what a function did when it was tried."""
Asked = tuple[Topic, Hashable]


class Analysis(Protocol):
    """What a unit is done again in."""

    def answer(self, question: str, given: tuple[Any, ...]) -> object:
        """What the project answers a question that a unit once asked."""

    def read_again(self, questions: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
        """A unit that is not run again has read these files."""


class Restart(Exception):
    """The analysis has to begin again: a unit was prepared that is not wanted as it was."""


@dataclass(slots=True, eq=False)
class Unit:
    """What one unit did, and what that depends on."""

    key: Key
    number: int
    modules: dict[str, int]
    """The modules whose top level it runs, with the numbers of their identities; several that import each other."""
    asked: dict[tuple[str, tuple[Any, ...]], object]
    """Questions to the project, with the answers."""
    found: dict[Asked, tuple[object, ...]]
    """What other units had left when it ran."""
    imports: list[str]
    """The modules it imports, in the order in which it first does."""
    did: list[tuple[Change, tuple[Any, ...]]]
    left: dict[Asked, object]
    """What it leaves for others: each as something that is equal where that is the same."""
    reach: frozenset[str]
    """The modules that it can reach: those it is, imports, and these reach."""
    cost: int
    """What it spent (see `METER`)."""


@dataclass(slots=True, eq=False)
class Open:
    """A unit that is run now."""

    key: Key
    before: int
    """What was spent when it began."""
    modules: dict[str, int] = field(default_factory=dict)
    asked: dict[tuple[str, tuple[Any, ...]], object] = field(default_factory=dict)
    topics: set[Asked] = field(default_factory=set)
    imports: dict[str, None] = field(default_factory=dict)
    did: list[tuple[Change, tuple[Any, ...]]] = field(default_factory=list)
    left: dict[Asked, set[Hashable]] = field(default_factory=dict)
    is_whole: bool = True
    """Whether all that it depends on is written down."""
    within: bool = False
    """Whether it belongs to the unit around it, since it reaches into a module that is not imported to its end."""


class Units:
    """The units that are known from earlier analyses of the same project. Not for several analyses at a time."""

    def __init__(self) -> None:
        self.kept: dict[Key, Unit] = {}
        self.numbers = count(1)


class Recording:
    """The units of one analysis."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._used: set[Key] = set()
        self._running: list[Open] = []
        self._modules: dict[str, Unit] = {}
        """The units of the modules that are imported to their end."""
        self._known = {
            path: unit for unit in units.kept.values() if unit.key[0] == "import" for path in unit.modules
        }
        """The units that modules had in the last analysis."""
        self._same: dict[int, bool] = {}
        """By their numbers: whether the project answers the questions of units as it did."""
        self._by_number: dict[object, Unit] = {}
        self._left: dict[Asked, tuple[object, ...]] = {}
        """What the units so far have left."""
        self._owners: dict[int, str] = {}
        """The modules by the numbers of their identities."""

    # ------------------------------------------------------------ writing down

    def did(self, change: Change, given: tuple[Any, ...]) -> None:
        """The unit that runs did something to what units share."""
        if self._running:
            self._running[-1].did.append((change, given))

    def leaves(self, topic: Topic, name: Hashable, what: Hashable) -> None:
        """The unit that runs leaves something for others that ask for it."""
        if self._running:
            self._running[-1].left.setdefault((topic, name), set()).add(what)

    def asks(self, topic: Topic, name: Hashable) -> None:
        """The unit that runs depends on what others left."""
        asked = topic, name
        for depth, one in enumerate(self._running[:-1]):
            if asked in one.left:
                self._within(depth)
        if self._running:
            self._running[-1].topics.add(asked)

    def answered(self, question: str, given: tuple[Any, ...], answer: object) -> None:
        """The unit that runs asked the project something."""
        if self._running:
            self._running[-1].asked.setdefault((question, given), answer)

    def spoil(self) -> None:
        """The units that run depend on what is not written down: none of them is kept."""
        for one in self._running:
            one.is_whole = False

    def owner(self, identity: object, bits: int) -> str | None:
        """The module that an identity was made by the import of."""
        return self._owners.get(identity >> bits) if isinstance(identity, int) else None

    # ------------------------------------------------------------ modules

    def begin_module(self, path: str, number: int) -> None:
        """The top level of a module is run now; its identities have this number."""
        self._running[-1].modules[path] = number
        self._owners[number] = path

    def reaches(self, path: str) -> None:
        """The unit that runs imports a module that was imported, or is being imported."""
        for depth, one in enumerate(self._running):
            if path in one.modules:
                self._within(depth)
                return
        if self._running:
            self._running[-1].imports[path] = None

    def _within(self, depth: int) -> None:
        for inner in self._running[depth + 1 :]:
            inner.within = True

    # ------------------------------------------------------------ units

    def perform(self, m: Analysis, key: Key, run: Callable[[], None], prepare: Callable[[str], object]) -> None:
        """Run a unit, or do again what it did; `prepare` imports a module."""
        kept = self._units.kept.get(key)
        if kept is not None and self._is_as_it_was(m, kept, prepare):
            m.read_again(question for question in kept.asked if question[0] in READ)
            for change, given in kept.did:
                change(m, *given)
            METER.total += kept.cost
            self._add(kept)
            return
        one = Open(key, METER.total)
        self._running.append(one)
        try:
            run()
        except BaseException:
            self.spoil()
            raise
        finally:
            self._running.pop()
            self._close(one)

    def _is_as_it_was(self, m: Analysis, kept: Unit, prepare: Callable[[str], object]) -> bool:
        if any(self._is_begun(path) for path in kept.modules):
            return False
        if not self._asks_the_same(m, kept) or not self._imports_the_same(m, kept):
            return False
        prepared = False
        for path in kept.imports:
            if not self._is_begun(path):
                prepare(path)
                prepared = True
            if path not in self._modules:
                # It is imported by what runs around this one: then this one belongs to that.
                break
        else:
            if all(self._left_for(asked) == answer for asked, answer in kept.found.items()):
                return True
        self._units.kept.pop(kept.key, None)
        if prepared:
            raise Restart
        return False

    def _asks_the_same(self, m: Analysis, kept: Unit) -> bool:
        """Whether the project answers all questions of a unit as it did."""
        known = self._same.get(kept.number)
        if known is None:
            questions = kept.asked.items()
            known = all(m.answer(question, given) == answer for (question, given), answer in questions)
            self._same[kept.number] = known
        return known

    def _imports_the_same(self, m: Analysis, kept: Unit) -> bool:
        """Whether no module that a unit reaches is surely another one now, as far as the project tells.

        So that nothing is prepared for a unit that then has to be run.
        """
        for path in kept.reach:
            if path not in kept.modules:
                unit = self._modules.get(path) or self._known.get(path)
                numbers = kept.found.get(("module", path), ())
                if unit is None or (numbers and unit.number not in numbers) or not self._asks_the_same(m, unit):
                    return False
        return True

    def _is_begun(self, path: str) -> bool:
        """Whether a module is imported, or is being imported."""
        return path in self._modules or any(path in one.modules for one in self._running)

    def _left_for(self, asked: Asked) -> tuple[object, ...]:
        return self._left.get(asked, ())

    def _close(self, one: Open) -> None:
        if one.within and self._running:
            outer = self._running[-1]
            outer.modules |= one.modules
            for path in one.modules:
                outer.imports.pop(path, None)
            outer.topics |= one.topics
            outer.imports |= dict.fromkeys(path for path in one.imports if path not in outer.modules)
            outer.did += one.did
            outer.is_whole = outer.is_whole and one.is_whole
            for question, answer in one.asked.items():
                outer.asked.setdefault(question, answer)
            for topic, what in one.left.items():
                outer.left.setdefault(topic, set()).update(what)
            return
        reach = self._reach_of(one)
        number = next(self._units.numbers)
        topics = {*one.topics, *(("module", path) for path in reach)}
        if one.key[0] == "functions":
            topics |= {("left", path) for path in reach}
        left: dict[Asked, object] = {}
        for topic, what in one.left.items():
            left[topic] = frozenset(what) if topic[0] == "demand" else number
        found: dict[Asked, tuple[object, ...]] = {asked: self._left_for(asked) for asked in topics}
        unit = Unit(
            one.key, number, one.modules, one.asked, found, list(one.imports), one.did, left, reach,
            METER.total - one.before,
        )  # fmt: skip
        if one.is_whole:
            self._units.kept[one.key] = unit
        else:
            self._units.kept.pop(one.key, None)
        self._add(unit)

    def _reach_of(self, one: Open) -> frozenset[str]:
        """The modules that a unit can reach; functions also reach what other roots left in these."""
        reach, todo = set(one.modules), [path for path in one.imports if path in self._modules]
        while todo:
            path = todo.pop()
            more = self._modules[path].reach - reach
            reach |= more
            if one.key[0] == "functions":
                numbers = [number for other in more for number in self._left_for(("left", other))]
                todo += [path for number in numbers for path in self._by_number[number].reach - reach
                         if path in self._modules]  # fmt: skip
        return frozenset(reach)

    def _add(self, unit: Unit) -> None:
        """A unit is at its end: what it left is there for others."""
        self._used.add(unit.key)
        self._by_number[unit.number] = unit
        for asked, what in unit.left.items():
            self._left[asked] = (*self._left_for(asked), what)
        for path, number in unit.modules.items():
            self._modules[path] = unit
            self._owners[number] = path
        if self._running:
            outer = self._running[-1]
            outer.before += unit.cost
            if unit.key[0] == "import":
                outer.imports[unit.key[1]] = None

    def end(self) -> None:
        """The analysis is at its end: units that it had no use for are forgotten."""
        self._units.kept = {key: unit for key, unit in self._units.kept.items() if key in self._used}
