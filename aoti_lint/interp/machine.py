"""The state of one abstract run, and the few operations everything else is made of: fork, emit, ask, forget.

Whole, as they all read and change that one state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from aoti_lint.diagnostics import Span
from aoti_lint.interp import events as ev
from aoti_lint.interp.conditions import Cond, decide
from aoti_lint.interp.facts import Facts, OpInput, Silence
from aoti_lint.interp.flow import FALL, Flow, bounded, graft_flow, join
from aoti_lint.interp.frames import Frame, Guard
from aoti_lint.interp.judge import among
from aoti_lint.interp.meter import METER, BudgetSpent
from aoti_lint.interp.store import Cell, Store
from aoti_lint.interp.values import (
    ABSENT,
    DECIDABLE,
    TRUE,
    Class,
    Compilation,
    Func,
    LoadedProgram,
    Namespace,
    Obj,
    Program,
    ProgramModule,
    Ref,
    Tensor,
    Tup,
    Unknown,
    Value,
    choose,
    either,
    under,
)
from aoti_lint.torch_api.versions import VersionSet

if TYPE_CHECKING:
    from aoti_lint.interp.autocasts import Autocast
    from aoti_lint.interp.results import Step
    from aoti_lint.interp.unread import Uses
    from aoti_lint.ir import nodes
    from aoti_lint.source.project import Project
    from aoti_lint.source.settings.model import Assignment
    from aoti_lint.symbolic.trial import Trial
    from aoti_lint.symbolic.watch import Watch

T = TypeVar("T")
E = TypeVar("E", bound=ev.Event)

MAX_DEPTH = 14
"""Calls followed into each other."""
MAX_STEPS = 5_000
"""Statements and calls interpreted for the top level of one file, at about 10,000 a second.

A script of a user takes a few hundred.
"""
FUNCTION_STEPS = 1_000
"""The same for a function whose arguments nobody gives: where it takes more, most of what it does hangs on these."""


ENVIRONMENT = Ref("os.environ")
"""The class of `os.environ` and of copies of it, whose slots are variables."""
ANY_VARIABLE = "#any"
"""The slot that says that variables of unknown names were written."""
GIVEN = "#given away"
"""The slot that says that a class was handed to code that may have registered it."""
HANDED = "#handed over"
"""The slot that says that an object was handed to code that is not followed."""
GRAPH = "#graph"
"""The slot that says why the graph of an exported program or module may have changed, and with it its inputs."""
KEYLESS = "#registered without keys"
"""The slot that says that a class was registered with `register_pytree_node` without `flatten_with_keys_fn`."""
MUTABLE = frozenset({"#items", "#device", "#training"})
"""Slots that code which is handed the object may change."""


class Machine:
    """Interprets one root after another over one project. `facts` collects what is seen."""

    def __init__(self, project: Project, versions: VersionSet) -> None:
        self.project = project
        self.facts = Facts(project, versions)
        self.store = Store()
        self.path: dict[Cond, bool] = {}
        self.frames: list[Frame] = []
        self.chain: list[Span] = []
        self.guards: list[Guard] = []
        self.pending: list[Flow] = []
        self.root = ""
        self.steps = 0
        self.all_steps = MAX_STEPS
        """The steps the present root may take."""
        self.most: int | None = None
        """The steps after which the code that is followed now is given up, where it has a budget of its own."""
        self.aside = 0
        """The steps taken so far, of this root, in calls that lead to nothing a rule speaks of."""
        self.muted = 0
        self.fallbacks = 0
        """Handlers of missing names around the code that runs now, which no name we know to be missing leads to."""
        self.traced: dict[str, Span] | None = None
        """The custom ops the forward that is traced now has reached, with the place of the first call."""
        self.lost: list[tuple[Span, str]] = []
        """What was not followed in the forward that was traced last, and why."""
        self.unended = False
        """Whether that forward took too long to be followed once more, with open sizes or for what it changes."""
        self.open_calls: list[ev.OpenCall] | None = None
        """The calls of custom ops, while a forward is read with open sizes."""
        self.modes: list[ev.ModeUse] = []
        """What the forward that is traced now has called that training mode makes behave otherwise."""
        self.mixes: list[ev.Mix] = []
        self.saved: list[ev.InferenceUse] = []
        """What the forward that is traced now saves for a backward pass, of tensors made in inference mode."""
        """The operations on several devices that the forward that is traced now has reached."""
        self.site: nodes.Node | None = None
        """The call or operator whose model was run last."""
        self.launched: dict[tuple[str, Span], int] = {}
        """The Triton kernels the forward that is traced now has launched, with how many conditions stood around."""
        self.compiling: list[Compilation] = []
        """The compiled functions and modules that are running, the outermost first."""
        self.compiled_calls: list[ev.CompiledCall] = []
        """The calls of compiled code so far, without those inside of others."""
        self.marked_steps: list[Step] = []
        """Where `torch.compiler.cudagraph_mark_step_begin()` was called so far."""
        self.registered: list[ev.OpDefinition | ev.OpImpl] = []
        """Definitions, fakes and kernels of ops whose functions were not tried yet."""
        self.registrations = ev.Registrations()
        self.trials: dict[tuple[object, ...], tuple[Trial | None, dict[str, int]]] = {}
        """What fakes and kernels did when they were tried, by function, parameters and ranks; the ranks they needed."""
        self.op_ranks: dict[str, dict[int | str, int]] = {}
        """The dimensions of the tensors in the first call of each op, by place or name."""
        self.watch: Watch | None = None
        """What looks on while a fake function or a kernel is tried with open sizes."""
        self.has_dims = False
        """Whether a `Dim` was made so far."""
        self.untraced: set[int] = set()
        """The functions that a compiled function calls as they are (`@torch.compiler.allow_in_graph`)."""
        self.differentiable = 0
        """How often something was called so far that autograd may follow: a module, or code we do not know."""
        self.undifferentiated: set[int] = set()
        """The functions that run without autograd (`@torch.no_grad()`)."""
        self.inferring: set[int] = set()
        """Those of them that run in inference mode (`@torch.inference_mode()`)."""
        self.autocast_functions: dict[int, Autocast] = {}
        """The functions that run under autocast (`@torch.autocast("cuda")`)."""
        self.cast_inside = False
        """Whether the forward that is traced now has an autocast of its own."""
        self.placed_inside = False
        """Whether the forward that is traced now may put tensors elsewhere than on the CPU."""
        self.called: set[int] = set()
        """`id` of the IR of every function that ran."""
        self.told: set[int] = set()
        """Those of them whose own file, or a script, called them: they need not be run for themselves."""
        self.defined: dict[int, dict[Cond, bool]] = {}
        """`id` of the IR of every function that was defined, with what was assumed at its definition."""
        self.marked: dict[int, Func] = {}
        """By the `id` of its IR, every function that has decorators, after the last of them that left it a function."""
        self.used: dict[int, dict[Cond, bool]] = {}
        """`id` of the IR of every function whose name was read, with what was assumed wherever that was."""
        self.cut: set[str] = set()
        """Files with code that took too long to follow."""
        self.followed: set[str] = set()
        """Files whose top level was run to its end."""
        self.namespaces: dict[str, Namespace] = {}
        self.effects: dict[str, dict[Cell, Value]] = {}
        """What importing each module does to the process."""
        self.entries: dict[tuple[int, str], Span] = {}
        """Where entries of dicts were written, by identity and name, if these may be the variables of a program."""
        self.outside: dict[str, dict[str, Assignment]] = {}
        """The variables that files outside Python set for each script they start."""
        self.variables: dict[str, list[ev.EnvWrite]] = {}
        """The variables each module sets when it is imported."""
        self.version_questions = 0
        """How often it was asked so far whether torch is of some release."""
        self.importing: list[dict[Cell, Value]] = []
        """What the modules whose top level runs now have bound so far, the outermost first."""
        self.handed: list[tuple[Func, list[Guard]]] = []
        """Inner functions that code we do not know was given in the present root, with the handlers around that."""
        self.left: dict[Cell, list[Value]] = {}
        """What roots left in modules, for the functions that are run after them."""
        self.settings: dict[int, list[tuple[nodes.FunctionDef, str]]] = {}
        """By `id` of the IR of a class: its methods with the attributes each sets."""
        self.uses: dict[int, Uses] = {}
        """By `id` of their IR: what functions and files do with their variables."""
        self.lines: dict[int, tuple[tuple[Value, ...], list[Value]]] = {}
        """The bases of classes and all that these derive from, in Python's order, where no base depends on anything."""
        self.scripts: dict[str, tuple[dict[str, Value], dict[str, dict[str, Value]]]] = {}
        """The names each script left when it ran as `__main__`, and what the objects among them hold."""
        self._ident = 0

    # ------------------------------------------------------------ identities

    def fresh(self) -> int:
        self._ident += 1
        return self._ident

    @property
    def last(self) -> int:
        """The identity that was given last."""
        return self._ident

    def unknown(self, node: nodes.Node | None, reason: str) -> Unknown:
        """A new unknown value, remembered for `--why-silent`."""
        if node is not None and self.frames:
            if not self.muted:
                self.facts.silences.append(Silence(self.span(node), reason))
            elif self.traced is not None and self.watch is None:
                self.lost.append((self.span(node), reason))
        return Unknown(f"u{self.fresh()}", reason)

    def new(self, kind: str, cls: Value | None = None) -> Obj:
        return Obj(self.fresh(), kind, cls)

    def new_list(self, items: Iterable[Value], kind: str = "list") -> Obj:
        made = self.new(kind)
        self.store.write(made.ident, "#items", Tup(tuple(items)))
        return made

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def span(self, node: nodes.Node) -> Span:
        return Span(self.frame.module.path, node.start, node.end)

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.all_steps or (self.most is not None and self.steps > self.most):
            self.give_up()
            raise BudgetSpent

    def give_up(self) -> None:
        """The code that runs now took too long."""
        self.cut.update(frame.module.path for frame in self.frames)

    def use(self, func: Func) -> None:
        """The name of a function was read here."""
        before = self.used.get(id(func.node))
        self.used[id(func.node)] = {c: a for c, a in self.path.items() if before is None or before.get(c) == a}

    # ------------------------------------------------------------ reading

    def read(self, owner: object, slot: str) -> Value | None:
        """A cell as the current path sees it; None if it has no value."""
        found = self.store.read(owner, slot)
        if found is not None and type(found) in DECIDABLE:
            found = under(found, self.path)
        return None if found is ABSENT else found

    def see(self, value: Value) -> Value:
        return under(value, self.path) if type(value) in DECIDABLE else value

    # ------------------------------------------------------------ branches

    @contextmanager
    def assuming(self, literals: dict[Cond, bool]) -> Any:
        saved = self.path
        self.path = {**saved, **literals}
        try:
            yield
        finally:
            self.path = saved

    def fork(
        self,
        cond: Cond,
        then: Callable[[], T],
        other: Callable[[], T],
        implied: tuple[dict[Cond, bool], dict[Cond, bool]] = ({}, {}),
    ) -> tuple[T, T]:
        """Run both arms, each in a layer and under its answer, and merge what they changed.

        Where the path decides, only that arm runs and its result is given twice. `implied` are further answers that
        follow from True and from False.
        """
        known = decide(cond, self.path)
        if known is not None:
            with self.assuming(implied[0] if known else implied[1]):
                only = then() if known else other()
            return only, only
        since = self.last
        first, first_changes, first_flow = self.arm({cond: True, **implied[0]}, then)
        second, second_changes, second_flow = self.arm({cond: False, **implied[1]}, other)
        self.merge(cond, first_changes, second_changes, since, first_flow, second_flow)
        return first, second

    def arm(self, literals: dict[Cond, bool], run: Callable[[], T]) -> tuple[T, dict[Cell, Value], Flow]:
        """Run one arm; gives its result, its changes and the exceptions its calls may have raised."""
        pending, self.pending = self.pending, []
        self.store.push()
        try:
            with self.assuming(literals):
                result = run()
        finally:
            changes = self.store.pop()
            mine, self.pending = self.pending, pending
        return result, changes, sequence(self, mine)

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
        for cell in [*then, *(c for c in other if c not in then)]:
            if is_newer(cell, since):
                self.store.write(*cell, then[cell] if cell in then else other[cell])
                continue
            base = self.store.read(*cell) or ABSENT
            self.store.write(*cell, either(cond, then.get(cell, base), other.get(cell, base)))
        both = join(cond, flow, other_flow)
        if both != FALL:
            self.pending.append(both)

    def choose_value(self, cond: Cond, then: Callable[[], Value], other: Callable[[], Value]) -> Value:
        """What is done to both alternatives of a value."""
        with self.choosing(cond):
            return choose(cond, *self.fork(cond, then, other))

    @contextmanager
    def choosing(self, cond: Cond) -> Iterator[None]:
        """While something is done to the alternatives of a value that depends on `cond`."""
        chosen = self.frames[-1].chosen if self.frames else []
        chosen.append(cond)
        try:
            yield
        finally:
            chosen.pop()

    @contextmanager
    def alternative(self, answers: dict[Cond, bool]) -> Iterator[None]:
        """While something is done to one alternative of a value: the one that it is under these answers."""
        chosen = self.frames[-1].chosen if self.frames else []
        before = len(chosen)
        chosen += [cond for cond in answers if cond not in self.path]
        try:
            with self.assuming(answers):
                yield
        finally:
            del chosen[before:]

    # ------------------------------------------------------------ telling

    def emit(self, kind: type[E], node: nodes.Node, **parts: Any) -> E | None:
        """Add an event at `node`, unless this is a trial run."""
        return self.tell(kind, self.span(node), self.frame.qualname, **parts)

    def tell(self, kind: type[E], span: Span, context: str, **parts: Any) -> E | None:
        """Add an event at a place that need not be in a script, unless this is a trial run."""
        if self.muted:
            return None
        made = kind(
            span=span,
            root=self.root,
            order=len(self.facts.events),
            path=dict(self.path),
            chain=tuple(self.chain),
            caught=frozenset(t for g in self.guards if not g.expected for t in g.types),
            expected=frozenset(t for g in self.guards if g.expected for t in g.types),
            versions=self.versions(),
            context=context,
            chosen=tuple(self.frames[-1].chosen) if self.frames else (),
            **parts,
        )
        self.facts.events.append(made)
        return made

    def versions(self) -> VersionSet:
        """The torch versions in which the current path runs."""
        return among(self.facts.versions_for(self.root), self.path)

    def version_cond(self, holds: VersionSet, text: str) -> Cond | bool:
        """The question whether torch is one of `holds`; answered where the target set does."""
        self.version_questions += 1
        left = self.versions()
        if not left & holds:
            return False
        if not left - holds:
            return True
        return Cond(("version", holds), "version", text)

    def catches(self, *names: str) -> bool:
        """Whether a handler around the current place catches one of these exceptions."""
        return any(n in g.types for g in self.guards for n in names)

    def note_op(
        self, node: nodes.Node, op: str, args: Sequence[Value] = (), kwargs: Mapping[str, Value] | None = None
    ) -> None:
        """A custom op is called here; while a forward is traced, the program reaches it."""
        self.note_inputs(op, args, kwargs)
        if self.traced is not None:
            self.traced.setdefault(op, self.span(node))
        else:
            self.emit(ev.OpUse, node, op=op)

    def note_inputs(self, op: str, args: Sequence[Value], kwargs: Mapping[str, Value] | None = None) -> None:
        """What a custom op is called with."""
        if self.watch is not None:
            return
        script, known = self.root.split("::")[0], self.facts.op_inputs.setdefault(op, set())
        places: list[tuple[int | str, Value]] = [*enumerate(args), *(kwargs or {}).items()]
        for place, given in places:
            value = self.see(given)
            if isinstance(value, Tensor):
                known.add(OpInput(script, place, value.dtype, self.see(value.device)))

    def note_kernel(self, node: nodes.Node, name: str) -> None:
        """A Triton kernel is launched here."""
        if self.traced is not None:
            self.launched.setdefault((name, self.span(node)), len(self.path))

    # ------------------------------------------------------------ forgetting

    def forget(self, value: Value, reason: str, seen: set[int] | None = None) -> None:
        """`value` was given to code we do not know, which may have changed it and all it holds."""
        seen = set() if seen is None else seen
        if len(seen) > 200:
            return
        value = self.see(value)
        if isinstance(value, Tup):
            for item in value.items:
                self.forget(item, reason, seen)
        elif isinstance(value, Class):
            self.store.write(value.ident, GIVEN, TRUE)
        elif isinstance(value, Program | ProgramModule | LoadedProgram):
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
                    self.store.write(value.ident, slot, replace(held, device=moved))


def is_newer(cell: Cell, since: int) -> bool:
    """Whether the owner of a cell was made after identity `since` was given."""
    return isinstance(cell[0], int) and cell[0] > since


def sequence(m: Machine, flows: list[Flow]) -> Flow:
    """Several flows one after the other, each where the one before fell through."""
    result: Flow = FALL
    for flow in flows:
        result = bounded(graft_flow(result, flow), m.fresh)
    return result
