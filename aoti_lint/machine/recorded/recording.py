"""What the units of an analysis do, kept so that those nothing has changed for need not be run again.

What a unit does to what all units share goes through `Machine.do`, which writes it down; what it asks of the project,
and of what other units left, is written down with the answers. Where all answers are the same again, what it did is
done again, without running it; and what only some would want to know, when somebody does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from aoti_lint.files.cache import content_hash
from aoti_lint.machine.changes import Change, Wanted
from aoti_lint.machine.recorded import written
from aoti_lint.machine.recorded.analysis import Analysis
from aoti_lint.machine.recorded.facts_told import FactsTold
from aoti_lint.machine.recorded.noted import Notes
from aoti_lint.machine.recorded.open_unit import Open
from aoti_lint.machine.recorded.questions import Answers
from aoti_lint.machine.recorded.unit import BITS, Asked, Key, Needs, Part, Topic, Unit, contents_of
from aoti_lint.machine.recorded.units import Units
from aoti_lint.machine.recorded.written import Files, NotWritten
from aoti_lint.values.meter import METER


class Restart(BaseException):
    """The analysis has to begin again: a unit was prepared that is not wanted as it was.

    No `Exception`: what cannot be followed is noted, this is not.
    """


class Recording:
    """The units of one analysis."""

    def __init__(self, units: Units, files: Files) -> None:
        self._units, self._files = units, files
        self._running: list[Open] = []
        self._preparing = [-1]
        """How many units run while modules are imported for one that may not have to be run."""
        self._modules: dict[str, Unit] = {}
        """The units of the modules that are imported to their end."""
        self._same: dict[Key, bool] = {}
        """Whether the project answers the questions of units as it did."""
        self._leaving: dict[object, list[Unit]] = {}
        """By objects: the units that left something there for functions that are run later."""
        self._left: dict[Asked, tuple[str, ...]] = {}
        """What the units so far have left."""
        self._order: list[Unit] = []
        """The units so far."""
        self._facts = FactsTold()
        """What they told, by the kinds of events."""
        self._in_step = True
        """Whether they are those of the last analysis, which did the same."""
        self._early: set[str] = set()
        """Modules that were imported for a unit which then was run, and that it has not imported yet."""
        self._changed: set[int] = set()
        """The objects that units so far have changed that did not make them."""
        self._owners: dict[int, str] = {}
        """The modules by the numbers of their identities."""
        self.waiting: dict[Wanted, list[Part]] = {}
        """What units did that are not run again, and that nobody wanted to know so far."""
        self._awake: set[Wanted] = set()
        """What was wanted, or done here: whoever looks into objects that are there would not ask for more of them."""

    def takes_from_others(self) -> bool:
        """Whether units that other processes run from now on are found."""
        return self._units.take_from_others()

    # ------------------------------------------------------------ writing down

    def did(self, change: Change[Any], given: tuple[Any, ...]) -> None:
        """The unit that runs did something to what units share."""
        if not self._running:
            return
        one = self._running[-1]
        about = None if change.waits is None else change.waits(*given)
        did = one.parts.setdefault(about, [])
        if change.once is not None:
            told = change, change.once(*given)
            place = one.once.setdefault(told, len(did))
            if place < len(did):
                if change.joined is not None:
                    did[place] = change, change.joined(did[place][1], given)
                return
        if about is not None and change.ordered:
            self._awake.add(about)
        did.append((change, given))

    def leaves(self, topic: Topic, name: str | int, what: object) -> None:
        """What runs leaves something for others that ask for it; None: more than can be told here."""
        asked = topic, name
        if self._running:
            self._running[-1].left.setdefault(asked, []).append(what)
        else:
            # It is no unit that the last analysis told of.
            self._in_step = False
            self._left[asked] = (*self._left_for(asked), self._hash_of(what))

    def asks(self, topic: Topic, name: str | int) -> None:
        """The unit that runs depends on what others left."""
        asked = topic, name
        for depth, one in enumerate(self._running[:-1]):
            if asked in one.left or asked in one.parts:
                self._within(depth)
        if self._running:
            for note in self.notes:
                note.topics.add(asked)

    def answered(self, question: str, given: tuple[Any, ...], answer: object) -> None:
        """The unit that runs asked the project something."""
        if self._running:
            for one in self.notes:
                one.asked.setdefault((question, given), answer)

    @property
    def notes(self) -> Notes:
        """What is noted of the unit that runs."""
        return self._running[-1].notes

    def has_read(self, owners: set[object], looked: set[tuple[str, int]]) -> None:
        """The unit that runs looked into what these hold, and at the definitions that begin there."""
        self._running[-1].read |= owners
        self.notes.unit.looked |= looked

    def spoil(self) -> None:
        """The units that run depend on what is not written down: none of them is kept."""
        for one in self._running:
            one.is_whole = False

    def makes(self, number: int) -> None:
        """What the unit that runs makes is numbered so from now on."""
        if self._running:
            self._running[-1].makes.add(number)

    # ------------------------------------------------------------ modules

    def begin_module(self, path: str, number: int) -> None:
        """The top level of a module is run now; its identities have this number."""
        self._running[-1].modules[path] = number
        self._owners[number] = path
        self._awake.add(("cells", number))

    def reaches(self, m: Analysis, path: str) -> None:
        """The unit that runs depends on a module, if it is one: it was imported, or is being imported."""
        if path in self._early and self._depends_on(path, m.changed_so_far()):
            raise Restart
        self._early.discard(path)
        for depth, one in enumerate(self._running):
            if path in one.modules:
                self._within(depth)
                return
        if path in self._modules:
            self._imports(path)

    def _imports(self, path: str) -> None:
        """The unit that runs imports a module, unless that is only prepared."""
        if self._running and self._preparing[-1] != len(self._running):
            self._running[-1].imports[path] = None

    def _depends_on(self, path: str, changed: frozenset[int]) -> bool:
        """Whether a module, or one that it reaches, looked into any of these objects."""
        units = (self._modules.get(one) for one in self._modules[path].reach)
        return any(unit is not None and not unit.needs.read.isdisjoint(changed) for unit in units)

    def _within(self, depth: int) -> None:
        for inner in self._running[depth + 1 :]:
            inner.within = True

    # ------------------------------------------------------------ units

    def perform(self, m: Analysis, key: Key, run: Callable[[], None], prepare: Callable[[str], object]) -> None:
        """Run a unit, or do again what it did; `prepare` imports a module."""
        kept = self._units.get(key)
        changed = m.changed_so_far() if self._running else frozenset()
        if kept is not None and kept.parts is not None and self._is_as_it_was(m, kept, prepare, changed):
            m.read_again(kept.asked.looked_into())
            for about, part in kept.parts:
                if about is None or about in self._awake:
                    self._do(m, part)
                else:
                    self.waiting.setdefault(about, []).append(part)
            METER.total += kept.cost
            self._add(kept)
            return
        one = Open(key, METER.total, changed)
        self._running.append(one)
        try:
            run()
        except BaseException:
            self.spoil()
            raise
        finally:
            self._running.pop()
            self._close(one)

    def want(self, m: Analysis, about: Wanted) -> None:
        """Somebody wants to know what was done about this, and what will be."""
        self._awake.add(about)
        for part in self.waiting.pop(about, ()):
            self._do(m, part)

    def _do(self, m: Analysis, part: Part) -> None:
        with METER.at_rest():
            try:
                did = part.did(self._files)
            except ValueError:
                self._units.forget_all()
                raise Restart from None
            for change, given in did:
                change(m, *given)

    def _is_as_it_was(self, m: Analysis, kept: Unit, prepare: Callable[[str], object], changed: frozenset[int]) -> bool:
        if any(self._is_begun(path) for path in kept.modules) or (changed and kept.needs.read & changed):
            return False
        if not self._asks_the_same(m, kept) or not self._looks_at_the_same(kept):
            return False
        early, before = [path for path in kept.imports if not self._is_begun(path)], len(self._order)
        self._prepare(kept, early, prepare)
        # What is imported by what runs around this one: then this one belongs to that.
        if all(path in self._modules for path in kept.imports):
            if self._in_step and self._is_next(kept):
                return True
            if kept.reach == self._reach_of(kept):
                found = {asked: self._left_for(asked) for asked in self._depends(kept)}
                if found == kept.needs.found and not self._was_before(kept, before):
                    return True
        self._units.forget(kept.key)
        if self._was_before(kept, before):
            raise Restart
        self._early.update(path for path in early if path in self._modules)
        return False

    def _prepare(self, kept: Unit, early: list[str], prepare: Callable[[str], object]) -> None:
        """Import what a unit imports that may not have to be run, as long as all is what it was."""
        self._preparing.append(len(self._running))
        try:
            for path in early:
                if not self._is_begun(path):
                    prepare(path)
                    if not self._looks_at_the_same(kept):
                        # From here on it may import others.
                        return
        finally:
            self._preparing.pop()

    def _is_next(self, unit: Unit) -> bool:
        """Whether the last analysis had this unit, which did the same, behind as many others as there are now."""
        place, order = len(self._order), self._units.order
        return place < len(order) and order[place] == (unit.key, unit.number)

    def _was_before(self, kept: Unit, place: int) -> bool:
        """Whether any of the last units from this place on may not be what it is if this unit had begun before.

        So it is where it then would be a part of this one; and where it looks into what this one changes, and was not
        there as it is now when this one ran.
        """
        changes = frozenset(name for topic, name in kept.left if topic == "object" and isinstance(name, int))
        return any(self._is_begun(path) for path in kept.modules) or any(
            not unit.needs.read.isdisjoint(changes)
            and any(kept.needs.saw.get(path) != unit.number for path in unit.modules)
            for unit in self._order[place:]
        )

    def _asks_the_same(self, m: Analysis, kept: Unit) -> bool:
        """Whether the project answers all questions of a unit as it did."""
        known = self._same.get(kept.key)
        if known is None:
            known = self._same[kept.key] = kept.asked.is_answered_alike(m)
        return known

    def _looks_at_the_same(self, kept: Unit) -> bool:
        """Whether nothing that a unit depends on is surely another one now.

        So that little is prepared for a unit that then has to be run. What units leave about one thing only grows.
        """
        if self._in_step:
            return True
        for asked in self._depends(kept):
            now = self._left_for(asked)
            if asked[0] not in ("facts", "alike") and kept.needs.found.get(asked, ())[: len(now)] != now:
                return False
        for asked, numbers in kept.needs.found.items():
            topic, name = asked
            if topic not in ("module", "effects") or not isinstance(name, str):
                continue
            if name in self._modules:
                if self._left_for(asked) != numbers:
                    return False
            elif topic == "module":
                unit = self._units.of_module(name)
                if unit is not None and (unit.left.get(asked),) != numbers:
                    return False
        return True

    def _depends(self, kept: Unit) -> Iterable[Asked]:
        """What others leave for a unit, had it been run now."""
        needs = kept.needs
        return dict.fromkeys((*needs.found, *self._changed_in(needs.read), *self._left_in(kept.key, needs.read)))

    def _is_begun(self, path: str) -> bool:
        """Whether a module is imported, or is being imported."""
        return path in self._modules or any(path in one.modules for one in self._running)

    def _left_for(self, asked: Asked) -> tuple[str, ...]:
        if asked[0] in ("facts", "alike"):
            return (self._facts.so_far(str(asked[1]), alike=asked[0] == "alike"),)
        return self._left.get(asked, ())

    def _close(self, one: Open) -> None:
        if (one.within or one.read & one.changed) and self._running:
            self._running[-1].take(one)
            return
        reach, read = self._reach_of(one), frozenset(filter(self._is_of_another, one.read))
        into = {self._owners[owner >> BITS] for owner in read}
        topics: set[Asked] = {
            *one.notes.unit.topics,
            *(("module", path) for path in into - one.modules.keys() if path in self._modules),
            *(("effects", path) for path in one.imports),
            *self._changed_in(read),
            *self._left_in(one.key, read),
        }
        found = {asked: self._left_for(asked) for asked in topics}
        texts, spoken = one.texts(self._files)
        one.ask_for_pieces(self._files, spoken)
        told_of = one.told(texts, self._owners.keys() - one.modules.values(), self._files)
        number = one.number(texts, told_of, found)
        left = {asked: number if told is None else content_hash("\n".join(told).encode(), 10)
                for asked, told in told_of.items()}  # fmt: skip
        saw = {path: self._modules[path].number for path in sorted(reach - one.modules.keys())}
        parts = None if texts is None else [
            (about, Part(text, did, contents_of(of, self._files)))
            for (about, did), text, of in zip(one.parts.items(), texts, spoken, strict=True)
        ]  # fmt: skip
        imports = list(one.imports)
        cost = METER.total - one.before
        one.makes -= self._owners.keys()
        facts = one.facts(texts, number)
        needs = Needs(found, saw, read)
        unit = Unit(
            one.key, number, one.modules, Answers(one.notes.unit.asked), imports, left, facts, cost, parts, needs
        )
        if one.is_whole:
            self._units.put(unit, texts)
        else:
            self._units.forget(one.key)
        self._add(unit)

    def _hash_of(self, what: object) -> str:
        try:
            return content_hash(written.dumps(what, self._files).encode(), 10)
        except NotWritten:
            return os.urandom(10).hex()

    def _is_of_another(self, owner: object) -> TypeGuard[int]:
        """Whether a module made this when it was imported."""
        return isinstance(owner, int) and owner >> BITS in self._owners

    def _changed_in(self, read: frozenset[int]) -> Iterable[Asked]:
        """What others have changed of what was looked into."""
        return [("object", owner) for owner in read & self._changed]

    def _left_in(self, key: Key, read: frozenset[int]) -> Iterable[Asked]:
        """What others have left for functions in what was looked into."""
        return [("left", owner) for owner in read if owner in self._leaving] if key[0] == "functions" else ()

    def _reach_of(self, one: Open | Unit) -> frozenset[str]:
        """The modules that a unit can reach; functions also reach what other roots left for them."""
        reach = set(one.modules).union(*(self._modules[path].reach for path in one.imports if path in self._modules))
        if one.key[0] == "functions":
            read: Iterable[object] = one.read if isinstance(one, Open) else one.needs.read
            reach.update(*(unit.reach for owner in read for unit in self._leaving.get(owner, ())))
        return frozenset(reach)

    def _add(self, unit: Unit) -> None:
        """A unit is at its end: what it left is there for others."""
        self._in_step = self._in_step and self._is_next(unit)
        self._order.append(unit)
        self._early.difference_update(unit.imports)
        self._facts.add(unit.facts)
        for asked, what in unit.left.items():
            self._left[asked] = (*self._left_for(asked), what)
            topic, name = asked
            if topic == "object" and isinstance(name, int):
                self._changed.add(name)
            elif topic == "left" and isinstance(name, int):
                self._leaving.setdefault(name, []).append(unit)
        for path, number in unit.modules.items():
            self._modules[path] = unit
            self._owners[number] = path
        if self._running:
            self._running[-1].before += unit.cost
            if unit.key[0] == "import":
                self._imports(unit.key[1])

    def end(self, m: Analysis) -> None:
        """The analysis is at its end. Raises `Restart` where a module was imported that nobody imports."""
        if self._early:
            raise Restart
        self._units.keep(self._order, m)
