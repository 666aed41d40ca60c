"""The fakes and kernels of a project, linked by the names of their ops and tried beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter

from aoti_lint.diagnostics import Confidence
from aoti_lint.language.imports import imported
from aoti_lint.lazily.regex import regex
from aoti_lint.machine import hooks
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.shared import MAX_STEPS, REGISTERED
from aoti_lint.machine.state import Budget, OpCalled, Root
from aoti_lint.models.ops.op_parameters import Callee, Parameter, Returns, callee, of_function, of_schema, outputs_of
from aoti_lint.models.ops.ops import op_key
from aoti_lint.models.python.annotations import mutated
from aoti_lint.tracing.trials.called import with_calls
from aoti_lint.tracing.trials.compare import Difference
from aoti_lint.tracing.trials.compare import differences as compared
from aoti_lint.tracing.trials.doubtful_dtypes import doubted
from aoti_lint.tracing.trials.learned import Learned, learn
from aoti_lint.tracing.trials.trial import Trial, key_of, outputs, tried
from aoti_lint.tracing.trials.tried import OpTrial
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.event import Event, Order, Turn
from aoti_lint.values.events.ops import OpDefinition, OpImpl, name_of
from aoti_lint.values.identity import expr_of
from aoti_lint.values.op_schemas import written
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import Const, Ref, Tup, Value

MAX_VARIANTS = 10
"""Sets of ranks that a difference has to last in."""
OTHER_RANKS = (1, 3, 4)
_ASKS_RANK = regex(rb"\.ndim\b|\.dim\(\)|len\([^()]*\.(?:shape|size\(\))\)")
HANDING = frozenset({"inplace", "out"})
"""The tags of ops that return the arguments they write to (`torch/_library/custom_ops.py`, release 2.13.0)."""
OF_SHAPES = frozenset({"rank", "size"})
FAKE_KEYS = frozenset({"Meta", "meta"})
KERNEL_KEYS = frozenset({
    "CPU", "CUDA", "cpu", "cuda", "default", "PrivateUse1", "HIP", "XPU", "xpu", "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutograd",
})  # fmt: skip


def try_registered(m: Machine) -> None:
    """Try the fakes and kernels that what runs now has registered, while what is around them is still there.

    A fake waits for the definition of its op and for a kernel beside which it can be tried. What the top level of a
    module has registered waits until all roots ran: then all calls are known, which say how many dimensions the
    arguments have.
    """
    _try(m, [one for op in m.ops.of_turn.get(m.facts.turn, ()) for one in _untried(m, op) if _is_here(m, one)])


def try_waiting(m: Machine, phase: int) -> None:
    """Try what waits, when all roots have been run; each op is a unit of this phase."""
    for op in sorted(m.ops.untried.keys() | m.waiting(REGISTERED)):
        m.unit(("op", op, phase), partial(_try_op, m, op, phase), partial(imported, m))


def _try_op(m: Machine, op: str, phase: int) -> None:
    m.asks("op", op)
    m.want((REGISTERED, op))
    with m.running(Root("", Budget(MAX_STEPS), f"op {op}")), m.facts.in_turn(Turn(phase, op)):
        _try(m, _untried(m, op), last=True)


def _untried(m: Machine, op: str) -> list[OpDefinition | OpImpl]:
    return [one for one in m.ops.events.get(op, ()) if one.order in m.ops.untried[op]]


def _try(m: Machine, todo: list[OpDefinition | OpImpl], *, last: bool = False) -> None:
    if not todo:
        return
    todo = sorted(todo, key=attrgetter("order"))
    for op, those in _by_op(todo).items():
        m.do(_take, op, those)
    kept: list[OpDefinition | OpImpl] = []
    for one in todo:
        if isinstance(one, OpDefinition):
            _try_kernel(m, one, one.function, one)
        elif not is_fake(one):
            if any(not isinstance(k, Const) or k.value in KERNEL_KEYS for k in one.keys):
                _try_kernel(m, one, one.function, definition(m, one))
        else:
            defined = definition(m, one)
            waits = defined is None or (not one.context and not kernels(m, defined, one))
            if waits and not last:
                kept.append(one)
            else:
                _try_fake(m, one, defined)
    for op, those in _by_op(kept).items():
        m.do(_wait, op, those)


@hooks.end_module.answers
def _at_end(m: Machine) -> None:
    try_registered(m)


def _is_here(m: Machine, one: OpDefinition | OpImpl) -> bool:
    """Whether it was registered by what runs now; of a module that is imported, what its functions registered.

    What a function made may need what the function holds: that is not there later.
    """
    return one.order.turn == m.facts.turn and (bool(one.context) or m.root.maker != m.facts.turn.path)


def _by_op(those: Iterable[OpDefinition | OpImpl]) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for one in those:
        found.setdefault(name_of(one.op), []).append(one.order)
    return found


@change(waits=lambda op, _: (REGISTERED, op))
def _take(m: Machine, op: str, those: list[Order]) -> None:
    m.ops.untried[op].difference_update(those)


@change(waits=lambda op, _: (REGISTERED, op))
def _wait(m: Machine, op: str, those: list[Order]) -> None:
    m.ops.untried[op].update(those)


def is_fake(impl: OpImpl) -> bool:
    """Whether the function serves as the fake."""
    return impl.is_fake or any(isinstance(k, Const) and k.value in FAKE_KEYS for k in impl.keys)


def definition(m: Machine, one: OpImpl) -> OpDefinition | None:
    """Where an op is defined: in the same function, in the same file, or else anywhere; if again, the last time before.

    `custom_op` takes the place of one of the same name.
    """
    found = definitions(m, name_of(one.op))
    near = [event for event in found if event.span.path == one.span.path]
    beside = [event for event in near if _together(event, one)]
    those = beside or near or found
    before = [event for event in those if event.order.turn == one.order.turn and event.order < one.order]
    return before[-1] if before else next(iter(those), None)


def _together(event: Event, one: Event) -> bool:
    """Whether two events of a file are of one function, and not of two branches of which one alone is taken."""
    apart = any(one.path.get(cond, answer) is not answer for cond, answer in event.path.items())
    return event.context == one.context and not apart


def definitions(m: Machine, op: str) -> list[OpDefinition]:
    """Where an op is defined so far, in order."""
    return [one for one in _events(m, op) if isinstance(one, OpDefinition)]


def implementations(m: Machine, op: str) -> list[OpImpl]:
    """What an op has of fakes and kernels so far, in order."""
    return [one for one in _events(m, op) if isinstance(one, OpImpl)]


def _events(m: Machine, op: str) -> list[OpDefinition | OpImpl]:
    m.asks("op", op)
    # Those of unknown names are of several ops.
    return sorted(m.ops.events.get(op, ()), key=attrgetter("order")) if op else []


def kernels(m: Machine, defined: OpDefinition | None, one: OpImpl) -> list[Callee]:
    """The kernels of the op of a fake that are functions of the project."""
    found = []
    own = None if defined is None else callee(m, defined.function)
    if own is not None:
        found.append(own)
    name = name_of(one.op)
    # Scripts beside each other may define the same op, each for itself, and so may the tests in a file.
    places = [event.span.path for event in definitions(m, name)]
    files, several = set(places), places.count(one.span.path) > 1
    for impl in implementations(m, name):
        if not is_fake(impl):
            func = callee(m, impl.function)
            # The key of a platform that is found out when it runs is that of a device.
            keyed = any(not isinstance(k, Const) or k.value in KERNEL_KEYS for k in impl.keys)
            of_file = len(files) == 1 or defined is None or impl.span.path in (one.span.path, defined.span.path)
            if func is not None and keyed and of_file and (not several or _together(impl, one)):
                found.append(func)
    return found


def signature(
    m: Machine, defined: OpDefinition | None, func: Callee
) -> tuple[list[Parameter], Returns, frozenset[str] | None, bool]:
    """The parameters of an op, the types of its outputs, what it changes, and whether outputs may be arguments."""
    handing = defined is not None and hands_back(defined)
    schema = None if defined is None else written(defined)
    if schema is not None:
        parameters, returns = of_schema(schema)
        marked = frozenset(key_of(i) for i, p in enumerate(parameters) if p.mutable)
        return parameters, returns, marked, handing or any(one.alias for one in schema.returns)
    own = None if defined is None else callee(m, defined.function)
    source = own or func
    parameters = of_function(m, source)
    if own is not None and all(p.kind == "other" for p in parameters):
        parameters = of_function(m, func)
    changed: frozenset[str] | None = None
    if own is not None and defined is not None:
        said = frozenset[str]() if defined.mutates == Const("") else mutated(defined.mutates)
        if said is not None:
            # A name of no parameter is another fault (AOTI414): what was meant is not known.
            known = said <= {p.name for p in parameters}
            changed = frozenset(key_of(i) for i, p in enumerate(parameters) if p.name in said) if known else None
    return parameters, None if own is None and defined is not None else outputs_of(m, source.func), changed, handing


def hands_back(defined: OpDefinition) -> bool:
    """Whether the tags of an op say that it returns what it writes to."""
    tags = defined.tags.items if isinstance(defined.tags, Tup) else (defined.tags,)
    return any(isinstance(tag, Ref) and tag.name.rpartition(".")[2] in HANDING for tag in tags)


def _try_fake(m: Machine, one: OpImpl, defined: OpDefinition | None) -> None:
    func, name = callee(m, one.function), name_of(one.op)
    if func is None:
        return
    parameters, returns, mutable, aliases = signature(m, defined, func)
    found: list[Callee | None] = [*kernels(m, defined, one)]
    fake = real = None
    differences: tuple[Difference, ...] = ()
    for kernel in found or [None]:
        fake, real = _beside(m, func, kernel, parameters, {})
        if fake is not None and real is not None and kernel is not None:
            differences = _lasting(m, fake, real, parameters)
            differences = with_calls(m, differences, _calls(m, one), fake, real, parameters)
            if not one.is_fake:
                # Under a "Meta" key all tensors are there, and torch puts the results on the device of the arguments.
                differences = tuple(d for d in differences if d.kind != "device" or d.fake != Device("meta"))
            break
    if fake is not None:
        others = tuple(_of_other_ranks(m, fake, parameters))
        op = name or op_key(one.op)
        _tell(m, one, op, fake, real, returns, mutable, aliases, differences, others, under_meta=not one.is_fake)


def _calls(m: Machine, one: OpImpl) -> Iterator[OpCalled]:
    """The calls of an op that were seen; by scripts beside each other that define it, those of the own one."""
    name = name_of(one.op)
    files = {event.span.path for event in definitions(m, name)}
    script = one.root.split("::")[0]
    return (call for call in m.ops.calls.get(name, ()) if len(files) < 2 or call.script == script)


def _beside(
    m: Machine,
    func: Callee,
    kernel: Callee | None,
    parameters: list[Parameter],
    ranks: dict[str, int],
    tried_before: bool = False,
) -> tuple[Trial | None, Trial | None]:
    """The fake and the kernel on arguments of the same ranks: `ranks`, or others where the fake refuses these."""
    for _ in range(4):
        before = dict(ranks)
        fake = tried(m, func, parameters, ranks)
        real = None if kernel is None else tried(m, kernel, parameters, ranks)
        if ranks == before or real is None or fake is None:
            break
    if fake is not None and fake.value is None and not tried_before:
        # It refuses arguments of these ranks.
        for rank in (3, 4, 1):
            again = _beside(m, func, kernel, parameters, {key: rank for key, _ in fake.ranks}, tried_before=True)
            if again[0] is not None and again[0].value is not None:
                return again
    return fake, real if real is not None and fake is not None and real.ranks == fake.ranks else None


def _of_other_ranks(m: Machine, fake: Trial, parameters: list[Parameter]) -> Iterator[Trial]:
    """The fake on arguments of other ranks, where it asks for them."""
    if _ASKS_RANK.search(m.text_of(fake.func.code)):
        for rank in OTHER_RANKS:
            trial = tried(m, fake.callee, parameters, {key: rank for key, _ in fake.ranks})
            if trial is not None:
                yield trial


def _lasting(m: Machine, fake: Trial, kernel: Trial, parameters: list[Parameter]) -> tuple[Difference, ...]:
    """The differences that are there whatever ranks the arguments have: what these must be, nobody says."""
    left = compared(fake, kernel)
    tried_ranks = dict(fake.ranks)
    variants = [
        {key: rank + more for key, rank in tried_ranks.items()} for more in (1, -1, 2) if len(tried_ranks) > 1
    ] + [{**tried_ranks, key: rank + more} for key, rank in tried_ranks.items() for more in (1, -1)]
    asked = [{**tried_ranks, key: rank} for d in left if d.kind == "rank" for key, rank in _levelling(d, tried_ranks)]
    for ranks in (*asked, *variants[:MAX_VARIANTS]):
        if not any(d.kind in OF_SHAPES for d in left):
            break
        if min(ranks.values()) < 1:
            continue
        one, other = _beside(m, fake.callee, kernel.callee, parameters, dict(ranks))
        if one is None or other is None or one.ranks != tuple(sorted(ranks.items())):
            continue
        if one.value is None or other.value is None:
            continue
        again = [d for d in compared(one, other) if d.kind in OF_SHAPES]
        plain = _plain(other.value)
        found = [
            kept
            for d in left
            for kept in (_less(d, [now for now in again if now.index == d.index]) if d.index in plain else [d])
        ]
        left = list(dict.fromkeys(found))
    compared_dtypes = {*fake.watch.agreements.of_dtypes, *kernel.watch.agreements.of_dtypes}
    return tuple(doubted(m, difference, kernel, compared_dtypes) for difference in left)


def _less(difference: Difference, again: list[Difference]) -> list[Difference]:
    """What is left of a difference where other ranks have `again` for this output: the lesser of the two."""
    if difference.kind not in OF_SHAPES or (again and any(d.kind == "rank" for d in again)):
        return [difference]
    if difference.kind == "rank" or all(d.confidence is Confidence.POSSIBLE for d in again):
        return again
    return [difference]


def _levelling(difference: Difference, ranks: dict[str, int]) -> Iterator[tuple[str, int]]:
    """The arguments whose dimensions an output has, with the ranks that may give it as many on both sides."""
    mine, theirs = difference.fake_tensor, difference.kernel_tensor
    if mine is None or theirs is None or mine.shape is None or theirs.shape is None:
        return
    more = len(theirs.shape) - len(mine.shape)
    for shape, added in ((mine.shape, more), (theirs.shape, -more)):
        of = dict.fromkeys(root[1] for size in shape for root in expr_of(size).roots if root[0] == "dim")
        yield from ((key, ranks[key] + added) for key in of if key in ranks)


def _plain(value: Value) -> set[int]:
    """The outputs of which every tensor has a known rank, whatever else may be returned."""
    ranked: dict[int, bool] = {}
    for _, whole in leaves(value):
        for index, one in enumerate(outputs(whole)):
            for _, leaf in leaves(one):
                if isinstance(leaf, Tensor):
                    ranked[index] = ranked.get(index, True) and leaf.shape is not None
    return {index for index, known in ranked.items() if known}


def _try_kernel(m: Machine, one: OpDefinition | OpImpl, function: Value | None, defined: OpDefinition | None) -> None:
    func, name = callee(m, function), name_of(one.op)
    if func is None or not name:
        return
    parameters, returns, mutable, aliases = signature(m, defined, func)
    trial = tried(m, func, parameters, {})
    if trial is not None:
        learned = None if _has_fake(m, name, one.span.path) else learn(m, name, func, parameters)
        _tell(m, one, name, None, trial, returns, mutable, aliases or _is_traced_through(one), learned=learned)


def _is_traced_through(one: OpDefinition | OpImpl) -> bool:
    """Whether an export or a compile goes into the kernel instead of keeping the op."""
    return isinstance(one, OpImpl) and one.keys == (Const("CompositeImplicitAutograd"),)


def _has_fake(m: Machine, op: str, path: str) -> bool:
    """Whether the op has a fake so far, as the file `path` means it: scripts beside each other often define one op."""
    defining = {one.span.path for one in definitions(m, op)}
    registered = (impl.span.path for impl in implementations(m, op) if is_fake(impl))
    return any(place == path or place not in defining for place in registered)


def _tell(
    m: Machine, one: OpDefinition | OpImpl, op: str, fake: Trial | None, kernel: Trial | None, returns: Returns,
    mutable: frozenset[str] | None, aliases: bool, differences: tuple[Difference, ...] = (),
    others: tuple[Trial, ...] = (), learned: Learned | None = None, *, under_meta: bool = False,
) -> None:  # fmt: skip
    """The event, as it would have been told where the function was registered."""
    m.add(
        OpTrial(
            span=one.span, root=one.root, order=m.facts.next_order, path=dict(one.path), chain=one.chain,
            caught=one.caught, expected=one.expected, versions=one.versions, context=one.context, op=op, fake=fake,
            kernel=kernel, differences=differences, others=others, returns=returns, mutable=mutable, aliases=aliases,
            learned=learned, under_meta=under_meta,
        )
    )  # fmt: skip
