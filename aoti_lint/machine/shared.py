"""What all units of an analysis share, and what is done to it: it may be done again without running what did it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from aoti_lint.diagnostics import Span
from aoti_lint.files.cache import content_hash
from aoti_lint.machine.changes import Change, Wanted, change
from aoti_lint.machine.facts import Facts, OpInput, Silence, Unread
from aoti_lint.machine.reader import EVENTS, Reader
from aoti_lint.machine.recorded.recording import Recording
from aoti_lint.machine.recorded.unit import BITS, Key, Topic
from aoti_lint.machine.recorded.units import Units
from aoti_lint.machine.state import Budget, Demand, Modules, Ops, Root, World
from aoti_lint.profile import OFF, Timer
from aoti_lint.source.project import Project
from aoti_lint.source.remembered.asked import answer, asked
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.code import LOOKED, Code
from aoti_lint.values.conditions import Cond, Path
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.kinds import INPUTS, name_of
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.events.ops import name_of as op_name_of
from aoti_lint.values.meter import BudgetSpent
from aoti_lint.values.store import Cell, Store
from aoti_lint.values.unfinished import TOO_DEEP, TOO_LARGE, Unfinished
from aoti_lint.values.values import Func, NodePlace, Value

SILENCES: Wanted = "silences", ""
"""What could not be followed."""
REGISTERED = "registered"
"""With the name of a custom op: what was registered for that, and waits to be tried."""
MAX_STEPS = 5_000
"""Statements and calls interpreted for the top level of one file, at about 10,000 a second.

A script of a user takes a few hundred.
"""


class Shared:
    """The state of one analysis. Whatever lasts longer than a unit is changed by `do`."""

    def __init__(self, project: Project, versions: VersionSet, timer: Timer = OFF, units: Units | None = None) -> None:
        """With `units`, those that are known from before need not be run, and what is run is kept there."""
        self._timer = timer
        self.recording = None if units is None else Recording(units, project)
        self._sources = project
        self.project = project if self.recording is None else asked(project, self.recording.answered)
        self.facts = Facts(project, versions)
        self.store = Store(self._wake)
        self.root = Root("", Budget(MAX_STEPS))
        """What runs now."""
        self.demand = self.whole_demand = Demand()
        """What still has to be run: while something is only tried, that of the trial."""
        self.modules = Modules()
        self.ops = Ops()
        self.world = World()

    def unit(self, key: Key, run: Callable[[], None], prepare: Callable[[str], object]) -> None:
        """Run a unit, if what it does is not known; `prepare` imports a module that it imports."""

        def alone() -> None:
            with self.store.alone(inside=len(self.modules.importing)) as seen, LOOKED.apart() as looked:
                try:
                    run()
                finally:
                    if self.recording is not None:
                        self.recording.has_read(seen, looked)

        if self.recording is None:
            alone()
        else:
            self.recording.perform(self, key, alone, prepare)

    def do(self, change: Change[Any], *given: Any) -> None:
        """Do `change(m, *given)` to what all units share; it can be done again without running this unit."""
        if self.recording is not None:
            if change.ordered and change.waits is not None:
                self.want(change.waits(*given))
            self.recording.did(change, given)
        change(self, *given)

    def want(self, about: Wanted | None) -> None:
        """What units did about this is wanted now, those too that are not run again."""
        if self.recording is not None and about in self.recording.waiting:
            self.recording.want(self, about)

    def waits(self, about: Wanted) -> bool:
        """Whether units did something about this that nobody wanted to know so far."""
        return self.recording is not None and about in self.recording.waiting

    def waiting(self, topic: str) -> set[str]:
        """The names of what units did something about that nobody wanted to know so far."""
        there = () if self.recording is None else self.recording.waiting
        return {name for about, name in there if about == topic and isinstance(name, str)}

    def _wake(self, owner: object) -> bool:
        """Whether there is more to know of what an object holds, which then is known."""
        if self.recording is None or not isinstance(owner, int):
            return False
        about = "cells", owner >> BITS
        if about not in self.recording.waiting:
            return False
        self.recording.want(self, about)
        return True

    def text_of(self, code: Code[Any]) -> bytes:
        """How a definition is written, without comments, on which what runs depends then."""
        start, end, source = code.node.start, code.node.end, self.facts.project.source(code.path)
        return b"" if source is None else source.code.encode("utf-8", "surrogatepass")[start:end]

    def leaves(self, topic: Topic, name: str | int, what: object = None) -> None:
        """Others that ask for this find something that this unit has left: `what`, if this is no unit."""
        if self.recording is not None:
            self.recording.leaves(topic, name, what)

    def reaches(self, path: str) -> None:
        """What runs now depends on a module, which was imported or is being imported."""
        if self.recording is not None:
            self.recording.reaches(self, path)

    def asks(self, topic: Topic, name: str | int) -> None:
        """What runs now depends on what other units left."""
        if self.recording is not None:
            self.recording.asks(topic, name)
            self.want((topic, name))

    @contextmanager
    def asking(self, topic: Topic = "facts") -> Iterator[None]:
        """What is asked of the project through the facts is written down, too, and what is read of the facts.

        Whoever keeps nothing of how things are numbered asks for facts that are `alike`.
        """
        if self.recording is None:
            yield
            return
        self.facts.project, before = self.project, self.facts.project
        try:
            with self.facts.read_by(Reader(self, topic)):
                yield
        finally:
            self.facts.project = before

    def read_again(self, paths: Iterable[str]) -> None:
        """A unit that is not run again has read these files."""
        for path in paths:
            self._sources.reads(path)

    def answer(self, question: str, given: tuple[Any, ...]) -> object:
        """What the project answers a question that a unit once asked."""
        return answer(self.project, question, given)

    def content(self, path: str) -> str | None:
        """A hash of what a file holds; None where it cannot be read."""
        return self._sources.content(path)

    def names(self) -> Any:
        """What the answers so far depend on of the names of files and folders, of JSON's types."""
        return self._sources.names()

    def has_names(self, names: Any) -> bool:
        """Whether that is what it was; the run depends on it from now on."""
        return self._sources.has_names(names)

    def keep(self, cells: Mapping[Cell, Value]) -> None:
        """What these cells hold lasts: whatever is run later finds it."""
        held: dict[object, dict[str, Value]] = {}
        for (owner, slot), value in self.store.in_order(cells).items():
            held.setdefault(owner, {})[slot] = value
        for owner, slots in held.items():
            self.do(_keep, owner, slots)

    def note(self, text: str) -> None:
        """Something for the summary."""
        self.do(_note, text)

    def unfinished(self, root: str, reason: str) -> None:
        """A root was not followed to its end."""
        if self.recording is not None and reason == TOO_DEEP:
            # That depends on how deep the stack was where it began.
            self.recording.spoil()
        self.do(_unfinished, Unfinished(root, reason))

    def follow(self, root: str, run: Callable[[], None], said: str = "") -> bool:
        """Do something for a root; where it cannot be done to the end, that is noted. `said` names a part of the root.

        Gives whether it was done to the end. One root we cannot follow must not silence the others.
        """
        try:
            run()
            return True
        except BudgetSpent:
            self.unfinished(root, TOO_LARGE)
        except RecursionError:
            self.unfinished(root, TOO_DEEP)
        except Exception as error:
            if os.environ.get("AOTI_LINT_DEBUG"):
                raise
            fault = f"{type(error).__name__}: {error}"
            self.note(f"{root}:{said} not checked to its end, because of a bug in aoti-lint ({fault})")
        return False

    def ran(self, place: NodePlace, *, told: bool) -> None:
        """A function ran; if all there is to tell of it was `told`, it need not be run for itself."""
        if self.demand is self.whole_demand:
            self.do(_called, place)
        else:
            self.demand.called.add(place)
        if told:
            self.do(_told, place)

    def run_inside(self, func: Func, around: Callable[..., AbstractContextManager[None]], *given: Value) -> None:
        """The function runs inside of `around(m, *given)` from now on, whoever calls it."""
        self.do(_inside, func.ident, around, *given)

    def around(self, func: Func) -> Iterable[tuple[Callable[..., AbstractContextManager[None]], tuple[Value, ...]]]:
        """What the function runs inside of, with what stands beside the machine."""
        self.store.seen.add(func.ident)
        self.want(("inside", func.ident >> BITS))
        return self.world.inside.get(func.ident, ())

    def changed_so_far(self) -> frozenset[int]:
        """The objects of which those modules changed something that are not imported to their end."""
        return frozenset(owner for layer in self.modules.importing for owner, _ in layer if isinstance(owner, int))

    def write_entry(self, owner: int, name: str, span: Span) -> None:
        """An entry of a dict that may be the variables of a program is written here."""
        self.do(_entry, owner, name, span)

    def entries_of(self, owner: int) -> Mapping[str, Span]:
        """Where the entries of such a dict were written."""
        self.want(("entries", owner))
        return self.world.entries.get(owner, {})

    def has_dims(self) -> None:
        """A `Dim` is made."""
        self.do(_dims)

    def silence(self, span: Span, reason: str) -> None:
        """Something could not be followed."""
        self.do(_silence, Silence(span, reason))

    def unread(self, span: Span, file: str, why: str) -> None:
        """A file of settings could not be read."""
        self.do(_unread, Unread(span, file, why))

    def writes(self, name: str) -> None:
        """A file of this name is written."""
        self.do(_writes, name)

    def op_input(self, op: str, given: OpInput) -> None:
        """A custom op is called with this."""
        self.do(_op_input, op, given)

    def add(self, event: Event) -> None:
        """Add an event that is made already."""
        self.facts.count()
        self.do(_add, event)
        if isinstance(event, OpDefinition | OpImpl) and event.export is None:
            self.do(_of_op, op_name_of(event.op), event)

    def give_up(self) -> None:
        """The code that runs now took too long."""
        paths = [frame.module.path for frame in self.root.frames]
        if self.demand is not self.whole_demand:
            self.demand.cut.update(paths)
            return
        for path in dict.fromkeys(paths):
            self.do(_cut, path)

    def use(self, func: Func) -> None:
        """The name of a function was read here."""
        self.do(_used, func.place, self.root.path)

    def define(self, place: NodePlace) -> None:
        """A function is defined here."""
        self.do(_defined, place, self.root.path)


def _about_cells(owner: object, _: object) -> Wanted | None:
    return ("cells", owner >> BITS) if isinstance(owner, int) else None


@change(waits=_about_cells)
def _keep(m: Shared, owner: object, slots: Mapping[str, Value]) -> None:
    m.store.keep(owner, slots)


@change()
def _note(m: Shared, text: str) -> None:
    m.facts.notes.append(text)


@change()
def _unfinished(m: Shared, what: Unfinished) -> None:
    m.facts.unfinished.append(what)


@change(waits=lambda one: SILENCES, once=lambda one: one, ordered=False)
def _silence(m: Shared, what: Silence) -> None:
    m.facts.silences.add(what)


@change(once=lambda one: one, ordered=False)
def _unread(m: Shared, what: Unread) -> None:
    m.facts.unread.add(what)


@change(once=lambda name: name, ordered=False)
def _writes(m: Shared, name: str) -> None:
    m.facts.written.add(name)


@change(waits=lambda event: (EVENTS, name_of(event)), ordered=False)
def _add(m: Shared, event: Event) -> None:
    (m.facts.events if event.export is None else m.facts.in_exports).append(event)


@change(waits=lambda op, _: ("op", op), ordered=False)
def _of_op(m: Shared, op: str, event: OpDefinition | OpImpl) -> None:
    m.ops.events.setdefault(op, []).append(event)


@change(waits=lambda *_: (EVENTS, INPUTS), once=lambda op, given: (op, given), ordered=False)
def _op_input(m: Shared, op: str, given: OpInput) -> None:
    m.facts.op_inputs.setdefault(op, set()).add(given)


def _about_place(place: NodePlace, *_: object) -> Wanted:
    return "demand", place[0]


@change(waits=_about_place, once=lambda place: place, ordered=False)
def _called(m: Shared, place: NodePlace) -> None:
    m.whole_demand.called.add(place)


@change(waits=_about_place, once=lambda place: place, ordered=False)
def _told(m: Shared, place: NodePlace) -> None:
    m.whole_demand.told.add(place)


@change(waits=lambda path: ("demand", path), once=lambda path: path, ordered=False)
def _cut(m: Shared, path: str) -> None:
    m.whole_demand.cut.add(path)


def _on_all(one: tuple[NodePlace, Path], other: tuple[NodePlace, Path]) -> tuple[NodePlace, Path]:
    """A place, on what two paths to it share."""
    return one[0], _shared(one[1], other[1])


@change(waits=_about_place, once=lambda place, _: place, ordered=False, joined=_on_all)
def _used(m: Shared, place: NodePlace, path: Path) -> None:
    _narrow(m.whole_demand.used, place, path)


@change(waits=_about_place, once=lambda place, _: place, ordered=False, joined=_on_all)
def _defined(m: Shared, place: NodePlace, path: Path) -> None:
    _narrow(m.whole_demand.defined, place, path)


@change(waits=lambda function, *_: ("inside", function >> BITS))
def _inside(m: Shared, function: int, around: Callable[..., AbstractContextManager[None]], *given: Value) -> None:
    m.world.inside.setdefault(function, []).append((around, given))


@change(waits=lambda owner, *_: ("entries", owner))
def _entry(m: Shared, owner: int, name: str, span: Span) -> None:
    m.world.entries.setdefault(owner, {})[name] = span


@change()
def _dims(m: Shared) -> None:
    m.world.has_dims = True


def _narrow(known: dict[NodePlace, dict[Cond, bool]], place: NodePlace, path: Path) -> None:
    known[place] = _shared(known[place], path) if place in known else {**path}


def _shared(one: Path, other: Path) -> dict[Cond, bool]:
    """The conditions that two paths have with the same answer."""
    return {cond: answer for cond, answer in other.items() if one.get(cond) == answer}


def first_of(root: str) -> int:
    """The identity before the first one of a root."""
    return int(content_hash(root.encode("utf-8", "surrogatepass"), 8), 16) << BITS
