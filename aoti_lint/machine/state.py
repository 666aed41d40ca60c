"""What an abstract run changes beside the store, each part with its owner.

A `Root` is code that is run for itself, with a `Budget`; a `Trace` what an export found in one forward; `Demand` what
still has to be run. These three are what a nested run must not leave behind: `Machine.running` takes them back whole,
so a new part of them cannot be forgotten. `Modules`, `Ops` and `World` are what the whole run learns; what they hold is
true whichever code ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.values.assumptions import closed
from aoti_lint.values.events.event import Order, Turn
from aoti_lint.values.events.forwards import (
    CondBranches,
    ControlFault,
    DtypeMix,
    InferenceUse,
    LayerMade,
    Mix,
    ModeUse,
    OpenCall,
    Raised,
    SizeMix,
)
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.values import NONE

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Span
    from aoti_lint.ir import nodes
    from aoti_lint.machine.defaults import Defaults
    from aoti_lint.machine.observer import Observer
    from aoti_lint.source.settings.model import Assignment
    from aoti_lint.values.conditions import Cond, Path
    from aoti_lint.values.flow import Flow
    from aoti_lint.values.frames import Frame, Guard
    from aoti_lint.values.store import Cell, Stack
    from aoti_lint.values.values import Compilation, Func, Namespace, NodePlace, Obj, Value


T = TypeVar("T")


@dataclass(slots=True)
class Budget:
    """How many steps (statements and calls) a root may take, and has taken."""

    limit: int
    steps: int = 0
    most: int | None = None
    """The steps after which the code that is followed now is given up, where it has a budget of its own."""
    shallow: bool = False
    """Whether no call is followed that takes long, wherever it leads."""
    aside: int = 0
    """The steps taken in calls that lead to nothing a rule speaks of."""
    longer: dict[tuple[NodePlace, Span], tuple[Cell, ...]] = field(default_factory=dict)
    """What was changed by such calls that took too long, by function and place; the cases of a test share this."""

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.steps > self.limit or (self.most is not None and self.steps > self.most)


@dataclass(slots=True)
class Trace:
    """What one run of a forward, as an export makes it, has come by."""

    ops: dict[str, Span] = field(default_factory=dict)
    """The custom ops it reached, with the place of the first call."""
    launched: dict[tuple[str, Span], int] = field(default_factory=dict)
    """The Triton kernels it launched, with how many conditions stood around."""
    modes: list[ModeUse] = field(default_factory=list)
    """What it called that training mode makes behave otherwise."""
    mixes: list[Mix] = field(default_factory=list)
    """The operations on several devices."""
    dtypes: list[DtypeMix] = field(default_factory=list)
    """The operations on several dtypes."""
    sizes: list[SizeMix] = field(default_factory=list)
    """The operations on sizes that do not fit."""
    raised: list[Raised] = field(default_factory=list)
    """Where it raises."""
    without: bool = False
    """Whether autograd is off around it, which the program does not keep."""
    outputs: Value = NONE
    """What it gives, as it is then."""
    strange: tuple[tuple[str, str], ...] = ()
    """The classes of its outputs that torch cannot take apart, and what they lack."""
    unnamed: tuple[tuple[str, str, str], ...] = ()
    """What of its outputs torch takes apart and cannot write down: how it is reached, the class, what it is."""
    plain: tuple[str, ...] = ()
    """The Python types of its outputs that are numbers, texts and the like."""
    layers: list[LayerMade] = field(default_factory=list)
    """The layers with weights that it makes."""
    conds: list[CondBranches] = field(default_factory=list)
    """The calls of `torch.cond`."""
    control: list[ControlFault] = field(default_factory=list)
    """The calls of it and its like that are given what these do not take."""
    graphs: dict[Span, str] = field(default_factory=dict)
    """The calls whose functions become graphs of their own, with what is called."""
    saved: list[InferenceUse] = field(default_factory=list)
    """What it saves for a backward pass, of tensors made in inference mode."""
    lost: list[tuple[Span, str]] = field(default_factory=list)
    """What was not followed, and why."""
    read: dict[tuple[int, str], tuple[Obj, Value]] = field(default_factory=dict)
    """The attributes it read and did not bind itself, by identity and name: whose they are, and what they were."""
    through: Value | None = None
    """What a backward pass from what it returns comes through (see `language.effects.backward`)."""
    open_calls: list[OpenCall] = field(default_factory=list)
    """The calls of custom ops, where an observer looks on."""
    casts: bool = False
    """Whether it has an autocast of its own."""
    places: bool = False
    """Whether it may put tensors elsewhere than on the CPU."""
    refused: bool = False
    """Whether the export that runs it surely raises."""
    unended: bool = False
    """Whether it took too long to be followed once more, with open sizes or for what it changes."""
    export: Span | None = None
    """Where the export is that runs the forward, if it runs it once and for itself."""
    number: int | None = None
    """What such a run is known by (see `Program.traced`)."""
    told: bool = False
    """Whether rules were told of what happens in it."""
    asked: bool = False
    """Whether it asks if it is run for one."""


@dataclass(slots=True)
class Root:
    """A piece of code that is run for itself: a script, a module that is imported, a function nobody calls, a trial.

    It begins with none of what there is around it. `name` is the path of its file, with `::` and the qualified name of
    a function.
    """

    name: str
    budget: Budget
    maker: str = ""
    """What the identities it gives are numbered by: its name, if that is of no other root."""
    path: dict[Cond, bool] = field(default_factory=dict)
    """What is assumed where the code runs that runs now."""
    closed: Path = field(default_factory=dict)
    """What of it was closed: all that follows from it is in it."""
    frames: list[Frame] = field(default_factory=list)
    chain: list[Span] = field(default_factory=list)
    """The calls that led there."""
    guards: list[Guard] = field(default_factory=list)
    """The handlers around it."""
    pending: list[Flow] = field(default_factory=list)
    """The exceptions that calls of the statement which runs may have raised."""
    compiling: list[Compilation] = field(default_factory=list)
    """The compiled functions and modules that are running, the outermost first."""
    read: set[int | NodePlace] = field(default_factory=set)
    """The compilations whose first call was read for what it asks, and the code that they compiled."""
    rebound: set[tuple[int, str]] = field(default_factory=set)
    """The attributes, by identity and name, that were bound anew: the next export may be meant to find them so."""
    late: dict[tuple[int, str], Obj] = field(default_factory=dict)
    """Those that were bound anew, or changed, after an export had read them, and that nobody has read since: whose."""
    handed: list[tuple[Func, list[Guard]]] = field(default_factory=list)
    """Inner functions that code we do not know was given, with the handlers around that."""
    muted: int = 0
    """How many trial runs this is inside of: nothing is told in one."""
    fallbacks: int = 0
    """Handlers of missing names around the code that runs now, which no name we know to be missing leads to."""
    site: nodes.Node | None = None
    """The call or operator whose model was run last."""
    trace: Trace | None = None
    """The forward that is traced now."""
    watch: Observer[Any] | None = None
    """What looks on while a forward, a fake function or a kernel is tried with open sizes."""
    defaults: Defaults | None = None
    """What looks at what the user chooses."""

    def __post_init__(self) -> None:
        self.maker = self.maker or self.name

    def assume(self, more: Path) -> None:
        """Assume these answers, too, with what follows from all that is assumed."""
        self.path = self.closed = closed({**self.path, **more}, self.closed)

    @property
    def exporting(self) -> Trace | None:
        """The run of a forward that goes on, as an export runs it: not on trial, nor for an observer."""
        trace = self.trace
        runs = trace is not None and trace.export is not None and self.muted == 1 and self.watch is None
        return trace if runs else None

    @property
    def caught(self) -> frozenset[str]:
        """The exceptions that the handlers around what runs now catch."""
        return frozenset(name for guard in self.guards for name in guard.types)

    def within(self, **changes: Any) -> Root:
        """A nested run from where this one stands, with its budget; what it does to the lists stays its own."""
        lists = {"frames": [*self.frames], "chain": [*self.chain], "guards": [*self.guards], "pending": [],
                 "compiling": [*self.compiling], "handed": [*self.handed], "read": {*self.read},
                 "rebound": {*self.rebound}, "late": {**self.late}}  # fmt: skip
        if "path" in changes:
            lists["closed"] = {}
        return replace(self, **{**lists, **changes})

    @contextmanager
    def uncompiled(self) -> Iterator[None]:
        """Run something as it is, whatever is compiled around it."""
        around, self.compiling = self.compiling, []
        try:
            yield
        finally:
            self.compiling = around

    @contextmanager
    def standing(self, frames: list[Frame], chain: list[Span]) -> Iterator[None]:
        """Run something where other frames stand: the body of a `with`, while its generator waits."""
        before = self.frames, self.chain
        self.frames, self.chain = frames, chain
        try:
            yield
        finally:
            self.frames, self.chain = before


class Places:
    """Pieces of code, by their places, on top of those of another such set, which stays as it is."""

    __slots__ = ("_below", "_own")

    def __init__(self, below: Places | None = None) -> None:
        self._own: set[NodePlace] = set()
        self._below = below

    def add(self, place: NodePlace) -> None:
        self._own.add(place)

    def __contains__(self, place: NodePlace) -> bool:
        return place in self._own or (self._below is not None and place in self._below)

    def __bool__(self) -> bool:
        return bool(self._own or self._below)


@dataclass(slots=True)
class Demand:
    """What has been run, and with that what still has to be. Functions stand here by their places."""

    called: Places = field(default_factory=Places)
    """The functions that ran."""
    told: set[NodePlace] = field(default_factory=set)
    """Those of them whose own file, or a script, called them: they need not be run for themselves."""
    defined: dict[NodePlace, dict[Cond, bool]] = field(default_factory=dict)
    """The functions that were defined, with what was assumed at the definition."""
    marked: dict[NodePlace, Func] = field(default_factory=dict)
    """The functions that have decorators, after the last of these that left it a function."""
    used: dict[NodePlace, dict[Cond, bool]] = field(default_factory=dict)
    """The functions whose names were read, with what was assumed wherever that was."""
    followed: set[str] = field(default_factory=set)
    """Files whose top level was run to its end."""
    cut: set[str] = field(default_factory=set)
    """Files with code that took too long to follow."""

    def tried(self) -> Demand:
        """What a trial may change: that it ran something, or gave up, covers nothing."""
        return replace(self, called=Places(self.called), cut={*self.cut})


@dataclass(slots=True)
class Modules:
    """The modules of the project, by their paths."""

    namespaces: dict[str, Namespace] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    """Those that could not be read."""
    effects: dict[str, dict[Cell, Value]] = field(default_factory=dict)
    """What importing each does to the process."""
    variables: dict[str, list[EnvWrite]] = field(default_factory=dict)
    """The variables each sets when it is imported."""
    outside: dict[str, dict[str, Assignment]] = field(default_factory=dict)
    """The variables that files outside Python set for each script they start."""
    importing: list[dict[Cell, Value]] = field(default_factory=list)
    """What those whose top level runs now have bound so far, the outermost first."""
    left: dict[Cell, list[Value]] = field(default_factory=dict)
    """What roots left in modules, for the functions that are run after them."""
    scripts: dict[str, tuple[dict[str, Value], dict[str, dict[str, Value]]]] = field(default_factory=dict)
    """The names each script left when it ran as `__main__`, and what the objects among them hold."""


class OpCalled(NamedTuple):
    """What a script gives a custom op, but for None: by place or name, and of tensors their dimensions and dtype.

    `numbers` are the sizes of tensors, and what whole numbers are, as far as they are known.
    """

    script: str
    given: tuple[tuple[int | str, int | None, str | None], ...]
    numbers: tuple[tuple[int | str, int | tuple[int | None, ...]], ...] = ()


@dataclass(slots=True)
class Ops:
    """The custom ops, while their functions are collected and tried."""

    events: dict[str, list[OpDefinition | OpImpl]] = field(default_factory=dict)
    """The definitions, fakes and kernels of each, in no order."""
    untried: dict[str, set[Order]] = field(default_factory=dict)
    """By the names of ops: those whose functions were not tried yet."""
    of_turn: dict[Turn, dict[str, None]] = field(default_factory=dict)
    """The names of the ops for which something was registered in each turn."""
    calls: dict[str, dict[OpCalled, None]] = field(default_factory=dict)
    """What each op is called with, in the order in which that was seen."""


@dataclass(slots=True)
class World:
    """What is known of functions, classes and dicts as such, and what happened so far."""

    identities: dict[str, int] = field(default_factory=dict)
    """The last identity that each root gave, by their `maker`."""
    has_dims: bool = False
    """Whether a `Dim` was made."""
    differentiable: int = 0
    """How often something was called that autograd may follow: a module, or code we do not know."""
    version_questions: int = 0
    """How often it was asked whether torch is of some release."""
    inside: dict[int, list[tuple[Callable[..., AbstractContextManager[None]], tuple[Value, ...]]]] = field(
        default_factory=dict
    )
    """By their identities: what functions run inside of whenever they are called, by their decorators.

    Each takes the machine and what stands beside it: `@torch.no_grad()`, `@torch.autocast("cuda")`.
    """
    entries: dict[int, dict[str, Span]] = field(default_factory=dict)
    """Where entries of dicts were written, by identity and name, if these may be the variables of a program."""
    kept: dict[type, Any] = field(default_factory=dict)
    """What single parts of the language and models keep for themselves, by the type of it."""

    def of(self, kind: type[T]) -> T:
        """What a part keeps for the whole run; made when it is first asked for."""
        found: T | None = self.kept.get(kind)
        if found is None:
            found = self.kept[kind] = kind()
        return found


class Snapshot(NamedTuple):
    """All that a nested run may change and must not leave behind."""

    root: Root
    demand: Demand
    stack: Stack
