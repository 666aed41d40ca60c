"""The state of one abstract run, and the few operations everything else is made of: fork, emit, ask, forget.

Whole, as they all read and change that one state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.facts import OpInput
from aoti_lint.machine.recorded.unit import BITS
from aoti_lint.machine.shared import Shared, first_of
from aoti_lint.machine.state import Demand, Root, Snapshot
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.choices import DECIDABLE, choose, either, under
from aoti_lint.values.conditions import TRIED, Cond, decide
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.ops import OpUse
from aoti_lint.values.flow import FALL, Flow, bounded, graft_flow, join
from aoti_lint.values.frames import MAY_FAIL, Frame
from aoti_lint.values.judge import among
from aoti_lint.values.meter import METER, BudgetSpent
from aoti_lint.values.store import Cell, Layer
from aoti_lint.values.torch_values import LoadedProgram, OnnxModel, Program, ProgramModule, Tensor
from aoti_lint.values.values import ABSENT, TRUE, Class, Const, NodePlace, Obj, Ref, Tup, Unknown, Value

T = TypeVar("T")
E = TypeVar("E", bound=Event)

MAX_DEPTH = 14
"""Calls followed into each other."""
FUNCTION_STEPS = 1_000
"""The same for a function whose arguments nobody gives: where it takes more, most of what it does hangs on these."""


ENVIRONMENT = Ref("os.environ")
"""The class of `os.environ` and of copies of it, whose slots are variables."""
ANY_VARIABLE = "#any"
"""The slot that says that variables of unknown names were written."""
GIVEN = "#given away"
"""The slot that says that a class was handed to code that may have registered it, or was registered with a `NODE`.

Of `torch`: a class that is not known was registered, which may be any.
"""
NODE = Const("register_pytree_node")
HANDED = "#handed over"
"""The slot that says that an object was handed to code that is not followed."""
GRAPH = "#graph"
"""The slot that says why the graph of an exported program or module may have changed, and with it its inputs."""
NAMED = "#registered with a name"
"""The slot that says that a class was registered with a name, by which torch writes instances of it down."""
KEYLESS = "#registered without keys"
"""The slot that says that a class was registered with `register_pytree_node` without `flatten_with_keys_fn`."""
MUTABLE = frozenset({"#items", "#device", "#dtype", "#training"})
"""Slots that code which is handed the object may change."""


CHANGEABLE = frozenset({Tup, Class, Program, ProgramModule, LoadedProgram, OnnxModel, Obj})
"""Kinds of values that code which is given them may change, or what they hold."""


class Machine(Shared):
    """Interprets one root after another over one project. `facts` collects what is seen."""

    # ------------------------------------------------------------ nested runs

    def snapshot(self) -> Snapshot:
        """What there is now, for `restore`."""
        return Snapshot(self.root, self.demand, self.store.stack())

    def restore(self, before: Snapshot) -> None:
        """Make everything what it was: whatever a nested run did to it is gone."""
        self.root, self.demand, stack = before
        self.store.restore(stack)

    @contextmanager
    def running(self, root: Root, demand: Demand | None = None) -> Iterator[dict[Cell, Value]]:
        """Run something as `root`, on a layer of its own, which is given; however it ends, all is then as before.

        With a `demand` of its own, what it runs does not count as run.
        """
        before = self.snapshot()
        self.root, self.demand = root, demand or self.demand
        if self.recording is not None and root.maker != before.root.maker:
            self.recording.makes(first_of(root.maker) >> BITS)
        since = self.last
        self.store.push(since)
        try:
            if root.name == before.root.name:
                yield self.store.layers[-1]
            else:
                with self._timer.during("run", root.name):
                    yield self.store.layers[-1]
        finally:
            self.store.drop(before.stack.layers[before.stack.depth :], lambda owner: is_newer(owner, since))
            self.restore(before)

    # ------------------------------------------------------------ identities

    def fresh(self) -> int:
        """An identity: the number of the root, which its name gives, and how many it gave before.

        What a root makes is numbered alike whatever ran before it.
        """
        given, name = self.world.identities, self.root.maker
        given[name] = made = (given.get(name) or first_of(name)) + 1
        return made

    @property
    def last(self) -> int:
        """The identity that the root was given last."""
        name = self.root.maker
        return self.world.identities.get(name) or first_of(name)

    def unknown(self, node: nodes.Node | None, reason: str) -> Unknown:
        """A new unknown value, remembered for `--why-silent`."""
        if node is not None and self.root.frames:
            if not self.root.muted:
                self.silence(self.span(node), reason)
            elif self.root.trace is not None and self.root.watch is None:
                self.root.trace.lost.append((self.span(node), reason))
        return Unknown(f"u{self.fresh()}", reason)

    def new(self, kind: str, cls: Value | None = None) -> Obj:
        return Obj(self.fresh(), kind, cls)

    def new_list(self, items: Iterable[Value], kind: str = "list") -> Obj:
        made = self.new(kind)
        self.store.write(made.ident, "#items", Tup(tuple(items)))
        return made

    @property
    def frame(self) -> Frame:
        return self.root.frames[-1]

    def span(self, node: nodes.Node) -> Span:
        return Span(self.root.frames[-1].module.path, node.start, node.end)

    def place(self, node: nodes.Node) -> NodePlace:
        """What code in the file that runs now is known by."""
        return NodePlace(self.root.frames[-1].module.path, node.start)

    def spot(self, node: nodes.Node) -> tuple[str, str, int]:
        """What tells apart questions at several places of what runs, whatever stands above or below these."""
        path = self.frame.module.path
        near = self._sources.pieces(path).near(node.start)
        return path, f"{near.piece.name} {near.line}", node.start - near.start

    def step(self) -> None:
        budget = self.root.budget
        budget.steps += 1
        if budget.steps > budget.limit or budget.is_spent:
            self.give_up()
            raise BudgetSpent

    # ------------------------------------------------------------ reading

    def read(self, owner: object, slot: str) -> Value | None:
        """A cell as the current path sees it; None if it has no value."""
        found = self.store.read(owner, slot)
        if found is not None and type(found) in DECIDABLE:
            found = under(found, self.root.path)
        if self.root.defaults is not None and found is not None:
            found = self.root.defaults.of(found)
        return None if found is ABSENT else found

    def see(self, value: Value) -> Value:
        seen = under(value, self.root.path) if type(value) in DECIDABLE else value
        return seen if self.root.defaults is None else self.root.defaults.of(seen)

    # ------------------------------------------------------------ branches

    @contextmanager
    def assuming(self, literals: dict[Cond, bool]) -> Any:
        root = self.root
        saved = root.path, root.closed
        try:
            root.assume(literals)
            yield
        finally:
            root.path, root.closed = saved

    def fork(
        self,
        cond: Cond,
        then: Callable[[], T],
        other: Callable[[], T],
    ) -> tuple[T, T]:
        """Run both arms, each in a layer and under its answer, and merge what they changed.

        Where the path decides, only that arm runs and its result is given twice.
        """
        known = decide(cond, self.root.path)
        if known is not None:
            only = then() if known else other()
            return only, only
        since = self.last
        first, first_changes, first_flow = self.arm({cond: True}, then)
        second, second_changes, second_flow = self.arm({cond: False}, other)
        self.merge(cond, first_changes, second_changes, since, first_flow, second_flow)
        return first, second

    def arm(self, literals: dict[Cond, bool], run: Callable[[], T]) -> tuple[T, Layer, Flow]:
        """Run one arm; gives its result, its changes and the exceptions its calls may have raised."""
        root = self.root
        pending, root.pending = root.pending, []
        saved = root.path, root.closed
        self.store.push()
        try:
            root.assume(literals)
            result = run()
        finally:
            root.path, root.closed = saved
            changes = self.store.pop()
            mine, root.pending = root.pending, pending
        return result, changes, sequence(self, mine) if mine else FALL

    def merge(
        self,
        cond: Cond,
        then: dict[Cell, Value],
        other: dict[Cell, Value],
        since: int,
        flow: Flow = FALL,
        other_flow: Flow = FALL,
    ) -> None:
        """Take over what two arms changed. Objects made after `since` can be reached only from their own arm."""
        METER.spend(len(then) + len(other))
        store = self.store
        for cell in [*then, *(c for c in other if c not in then)]:
            owner, slot = cell
            if is_newer(owner, since):
                store.write(owner, slot, then[cell] if cell in then else other[cell])
                continue
            base = store.read(owner, slot) or ABSENT
            store.write(owner, slot, either(cond, then.get(cell, base), other.get(cell, base)))
        both = join(cond, flow, other_flow)
        if both != FALL:
            self.root.pending.append(both)

    def choose_value(self, cond: Cond, then: Callable[[], Value], other: Callable[[], Value]) -> Value:
        """What is done to both alternatives of a value."""
        chosen = self.root.frames[-1].chosen if self.root.frames else []
        chosen.append(cond)
        try:
            return choose(cond, *self.fork(cond, then, other))
        finally:
            chosen.pop()

    @contextmanager
    def alternative(self, answers: dict[Cond, bool]) -> Iterator[None]:
        """While something is done to one alternative of a value: the one that it is under these answers."""
        chosen = self.root.frames[-1].chosen if self.root.frames else []
        before = len(chosen)
        chosen += [cond for cond in answers if cond not in self.root.path]
        try:
            with self.assuming(answers):
                yield
        finally:
            del chosen[before:]

    # ------------------------------------------------------------ telling

    def emit(self, kind: type[E], node: nodes.Node, **parts: Any) -> E | None:
        """Add an event at `node`, as `tell` does."""
        return self.tell(kind, self.span(node), self.frame.qualname, **parts)

    def tell(self, kind: type[E], span: Span, context: str, **parts: Any) -> E | None:
        """Add an event at a place that need not be in a script, unless this is a trial run.

        What happens in the forward of an export is told to those rules alone that ask for it, and not given back.
        """
        trace = self.root.exporting
        if self.root.muted and trace is None:
            return None
        made = kind(
            span=span,
            root=self.root.name,
            order=self.facts.next_order,
            path=dict(self.root.path),
            chain=tuple(self.root.chain),
            caught=frozenset(t for g in self.root.guards if not g.expected for t in g.types),
            expected=self._expected(),
            versions=self.versions(),
            context=context,
            chosen=tuple(self.root.frames[-1].chosen) if self.root.frames else (),
            export=None if trace is None else trace.export,
            traced=None if trace is None else trace.number,
            **parts,
        )
        self.add(made)
        if trace is None:
            return made
        trace.told = True
        return None

    def _expected(self) -> frozenset[str]:
        """What may be raised here as nobody minds it: a test demands it, or it went well when it was tried before."""
        tried = any(answer and cond.key[0] == TRIED for cond, answer in self.root.path.items())
        return frozenset(t for g in (*self.root.guards, *([MAY_FAIL] * tried)) if g.expected for t in g.types)

    def versions(self) -> VersionSet:
        """The torch versions in which the current path runs."""
        return among(self.facts.versions_for(self.root.name), self.root.path)

    def version_cond(self, holds: VersionSet, text: str) -> Cond | bool:
        """The question whether torch is one of `holds`; answered where the target set does."""
        self.world.version_questions += 1
        left = self.versions()
        if not left & holds:
            return False
        if not left - holds:
            return True
        return Cond(("version", holds), "version", text)

    def catches(self, *names: str) -> bool:
        """Whether a handler around the current place catches one of these exceptions."""
        return any(n in g.types for g in self.root.guards for n in names)

    def note_op(
        self, node: nodes.Node, op: str, args: Sequence[Value] = (), kwargs: Mapping[str, Value] | None = None
    ) -> None:
        """A custom op is called here; while a forward is traced, the program reaches it."""
        self.note_inputs(op, args, kwargs)
        if self.root.trace is not None:
            self.root.trace.ops.setdefault(op, self.span(node))
        else:
            self.emit(OpUse, node, op=op)

    def note_inputs(self, op: str, args: Sequence[Value], kwargs: Mapping[str, Value] | None = None) -> None:
        """What a custom op is called with."""
        if self.root.watch is not None:
            return
        script = self.root.name.split("::")[0]
        places: list[tuple[int | str, Value]] = [*enumerate(args), *(kwargs or {}).items()]
        for place, given in places:
            value = self.see(given)
            if isinstance(value, Tensor):
                self.op_input(op, OpInput(script, place, value.dtype, self.see(value.device)))

    def note_kernel(self, node: nodes.Node, name: str) -> None:
        """A Triton kernel is launched here."""
        if self.root.trace is not None:
            self.root.trace.launched.setdefault((name, self.span(node)), len(self.root.path))
        if self.root.watch is not None:
            self.root.watch.launched(self, node, name)

    # ------------------------------------------------------------ forgetting

    def forget(self, value: Value, reason: str, seen: set[int] | None = None) -> None:
        """`value` was given to code we do not know, which may have changed it and all it holds."""
        seen = set() if seen is None else seen
        if len(seen) > 200:
            return
        value = self.see(value)
        if type(value) not in CHANGEABLE:
            return
        if isinstance(value, Tup):
            for item in value.items:
                self.forget(item, reason, seen)
        elif isinstance(value, Class):
            self.store.write(value.ident, GIVEN, TRUE)
        elif isinstance(value, Program | ProgramModule | LoadedProgram | OnnxModel):
            self.store.write(value.ident, GRAPH, Unknown(f"u{self.fresh()}", reason))
        elif isinstance(value, Obj) and value.ident not in seen:
            seen.add(value.ident)
            self.store.write(value.ident, HANDED, TRUE)
            if value.cls == ENVIRONMENT:
                self.store.write(value.ident, ANY_VARIABLE, TRUE)
            for slot, held in list(self.store.slots(value.ident)):
                self.forget(held, reason, seen)
                # Attributes keep their values: code that is handed an object rarely rebinds them, but it does move
                # modules and fill containers.
                if slot in MUTABLE or value.cls == ENVIRONMENT:
                    self.store.write(value.ident, slot, Unknown(f"u{self.fresh()}", reason))
                elif isinstance(held := self.see(held), Tensor) and held.role:
                    moved = Unknown(f"u{self.fresh()}", reason)
                    self.store.write(value.ident, slot, replace(held, device=moved, dtype=None))


def is_newer(owner: object, since: int) -> bool:
    """Whether the owner of cells was made after identity `since` was given, by the same root."""
    return isinstance(owner, int) and owner > since and owner >> BITS == since >> BITS


def sequence(m: Machine, flows: list[Flow]) -> Flow:
    """Several flows one after the other, each where the one before fell through."""
    result: Flow = FALL
    for flow in flows:
        result = bounded(graft_flow(result, flow), m.fresh)
    return result
