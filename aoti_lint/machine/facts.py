"""What one analysis found: the events, and what there is to say about how they were found."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from aoti_lint.deployment import Gate, Machine
from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.torch_api.target import nearest
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.event import Event, Order, Turn
from aoti_lint.values.events.exports import ExportEvent, Exporting
from aoti_lint.values.events.kinds import FOLDERS, INPUTS, kinds_of
from aoti_lint.values.folders import Folders
from aoti_lint.values.meter import METER
from aoti_lint.values.unfinished import Unfinished

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Diagnostic
    from aoti_lint.machine.recorded.noted import Noted
    from aoti_lint.program.named import NamedArchive
    from aoti_lint.source.project import Project
    from aoti_lint.source.settings.model import Assignment
    from aoti_lint.torch_api.target import Target
    from aoti_lint.values.torch_values import Program
    from aoti_lint.values.values import Value

E = TypeVar("E", bound=Event)
T = TypeVar("T")


class Silence(NamedTuple):
    """Something the interpreter could not follow."""

    span: Span
    reason: str


class Unread(NamedTuple):
    """A file of settings that a script reads here, and why nothing is known of what it holds."""

    span: Span
    file: str
    why: str


class OpInput(NamedTuple):
    """A tensor that a custom op is called with, by a script, in a place or by a name."""

    script: str
    place: int | str
    dtype: str | None
    device: Value


class Asker(Protocol):
    """Whoever reads the facts, and depends on what is read of them."""

    def asks_for(self, kinds: Iterable[str]) -> None:
        """Facts of these kinds are read; they are all there then, and no more of them will be told."""

    def noting(self) -> AbstractContextManager[Noted]:
        """Something is made that others will use, too: gives what it depends on."""

    def uses(self, made: Noted) -> None:
        """Something is used that was made so."""


class Index:
    """Events, sorted by what is asked for; going through them is work.

    They are sorted anew when there are more, unless there is an `asker`, who has all of a kind before that is sorted.
    """

    __slots__ = ("_asker", "_events", "_seen", "_sorted")

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._seen = 0, 0
        self._sorted: dict[object, Any] = {}
        self._asker: Asker | None = None

    def ask(self, *kinds: str) -> None:
        """Facts of these kinds are read."""
        if self._asker is not None:
            self._asker.asks_for(kinds)

    def read_by(self, asker: Asker | None) -> None:
        """From now on this one reads them."""
        self._asker, self._seen, self._sorted = asker, (0, 0), {}

    def of(self, *types: type[E]) -> Iterator[E]:
        """The events of these types, in their order."""
        for event in self._listed(types):
            METER.spend()
            yield event

    def last(self, *types: type[E]) -> E | None:
        """The last event of these types."""
        listed = self._listed(types)
        return listed[-1] if listed else None

    def grouped(self, kind: type[E], key: Callable[[E], Iterable[Hashable]]) -> Mapping[Hashable, Sequence[E]]:
        """The events of a type by each of the keys that `key`, a function of a module, gives for them."""
        return self.once((kind, key), partial(self._grouped, kind, key))

    def _grouped(self, kind: type[E], key: Callable[[E], Iterable[Hashable]]) -> dict[Hashable, list[E]]:
        groups: dict[Hashable, list[E]] = {}
        for event in self.of(kind):
            for one in key(event):
                groups.setdefault(one, []).append(event)
        return groups

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made at the first call with this key."""
        known = self._known()
        made: T
        if self._asker is None:
            if key not in known:
                known[key] = make()
            made = known[key]
        elif key in known:
            made, noted = known[key]
            self._asker.uses(noted)
        else:
            with self._asker.noting() as noted:
                made = make()
            known[key] = made, noted
        return made

    def _listed(self, types: tuple[type[E], ...]) -> list[E]:
        self.ask(*kinds_of(types))
        known = self._known()
        if types not in known:
            listed = [event for event in self._events if isinstance(event, types)]
            known[types] = sorted(listed, key=attrgetter("order"))
        found: list[E] = known[types]
        return found

    def _known(self) -> dict[object, Any]:
        now = len(self._events), id(self._events[-1]) if self._events else 0
        if now != self._seen and self._asker is None:
            self._sorted, self._seen = {}, now
        return self._sorted


@dataclass(slots=True)
class Facts:
    """The result of `analyse`.

    `versions` is the target set. `notes` say what was not analysed and why, for the summary.
    """

    project: Project
    versions: VersionSet
    events: list[Event] = field(default_factory=list)
    in_exports: list[Event] = field(default_factory=list)
    """What happens in the forwards of what is exported, as the export runs them, which `events` has nothing of."""
    folders: Folders = field(default_factory=Folders)
    silences: set[Silence] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    unfinished: list[Unfinished] = field(default_factory=list)
    """What was not followed to its end."""
    unread: set[Unread] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    """The names, without folders, of files that scripts write as text or bytes."""
    context: list[str] = field(default_factory=list)
    """The files beside those of the run that are interpreted for what these leave open."""
    judged: list[Diagnostic] | None = None
    """What the rules find, where the analysis was asked for that: then it may lack what they found it in."""
    versions_stated: bool = True
    """Whether anybody said which versions the code is for; if not, they are all the supported ones."""
    versions_installed: bool = False
    """Whether it is an environment that says so: what is installed there may be newer than the code."""
    below: Mapping[str, Target] = field(default_factory=dict)
    """Folders whose own files say other versions: those hold for what begins in a file there."""
    narrowed: bool = False
    """Whether files that may belong to the reported ones were left out."""
    archives: list[NamedArchive] = field(default_factory=list)
    """The exported programs and compiled models that were named."""
    assignments: list[Assignment] = field(default_factory=list)
    """What the named shell scripts, Dockerfiles and the like set, in the order of the files and of their places."""
    environment: dict[str, str] = field(default_factory=dict)
    """The variables that `--env` and the configuration say every script starts with."""
    op_inputs: dict[str, set[OpInput]] = field(default_factory=dict)
    """The tensors that each custom op is called with, as far as calls were seen."""
    machine: Machine = field(default_factory=Machine)
    gate: Gate = field(default_factory=Gate)
    turn: Turn = field(default=Turn(0))
    """That of the root that is run now."""
    _told: int = 0
    """How many events it told so far."""
    _index: Index = field(init=False)
    _index_in_exports: Index = field(init=False)

    def __post_init__(self) -> None:
        self._index, self._index_in_exports = Index(self.events), Index(self.in_exports)

    def inputs_of(self, op: str) -> Iterable[OpInput]:
        """The tensors that a custom op is called with, as far as calls were seen."""
        self._index.ask(INPUTS)
        return self.op_inputs.get(op, ())

    def folders_made(self) -> Folders:
        """The folders that scripts make."""
        self._index.ask(FOLDERS)
        return self.folders

    @contextmanager
    def read_by(self, asker: Asker) -> Iterator[None]:
        """What is read of them in here is told to this one; nothing is told of in here that others would look for."""
        for index in (self._index, self._index_in_exports):
            index.read_by(asker)
        try:
            yield
        finally:
            for index in (self._index, self._index_in_exports):
                index.read_by(None)

    @property
    def next_order(self) -> Order:
        """The `order` of the event that is told next."""
        return Order(self.turn, self._told)

    def count(self) -> None:
        """The root tells an event."""
        self._told += 1

    def sort(self) -> None:
        """Put the events into the order in which they happen; they were told in that in which things were run."""
        self.events.sort(key=attrgetter("order"))
        self.in_exports.sort(key=attrgetter("order"))

    @contextmanager
    def in_turn(self, turn: Turn) -> Iterator[None]:
        """A root is run: its events are counted for themselves."""
        before = self.turn, self._told
        self.turn, self._told = turn, 0
        try:
            yield
        finally:
            self.turn, self._told = before

    def versions_for(self, root: str) -> VersionSet:
        """The versions that what begins in this file, or function of a file ("a.py::f"), is judged for."""
        near = self._near(root)
        return self.versions if near is None else near.versions

    def stated_for(self, root: str) -> bool:
        """Whether anybody said so."""
        near = self._near(root)
        return self.versions_stated if near is None else near.stated

    def named_for(self, root: str) -> bool:
        """Whether somebody who means this code said so, not just what is installed."""
        near = self._near(root)
        return self.versions_stated and not self.versions_installed if near is None else near.stated

    def _near(self, root: str) -> Target | None:
        return nearest(self.below, root)

    def of(self, *types: type[E], in_exports: bool = False) -> Iterator[E]:
        """The events of these types, in the order they happened; with those `in_exports`, if that is wanted."""
        outside = self._index.of(*types)
        return merge(outside, self._index_in_exports.of(*types), key=attrgetter("order")) if in_exports else outside

    def grouped(self, kind: type[E], key: Callable[[E], Iterable[Hashable]]) -> Mapping[Hashable, Sequence[E]]:
        """The events of a type by each of the keys that a function of a module gives for them."""
        return self._index.grouped(kind, key)

    def during(self, export: Exporting, kind: type[E]) -> Iterator[E]:
        """The events of a type in the forward that an export runs, in the order they happened."""
        return iter(self._index_in_exports.grouped(kind, _traced).get(export.run, ()))

    def export_of(self, program: Program) -> ExportEvent | None:
        """The export that a program comes from, itself or by way of what made another program of it."""
        return next(iter(self._index.grouped(ExportEvent, _run).get(program.traced, ())), None)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made at the first call with this key: what several rules ask for, or for each event."""
        return self._index.once(key, make)


def _traced(event: Event) -> tuple[int, ...]:
    return () if event.traced is None else (event.traced,)


def _run(event: ExportEvent) -> tuple[int, ...]:
    return () if event.run is None else (event.run,)
