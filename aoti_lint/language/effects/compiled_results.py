"""What compiled functions gave, and whether it is read after compiled code ran again.

With CUDA graphs the next run writes into the same memory, whichever compiled function runs. Whether there are any is
the rules' matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond, consistent
from aoti_lint.values.events.compiled import CompiledCall, ResultRead
from aoti_lint.values.events.event import Order
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Many, Obj, Pairs, Tup, Value

GIVEN = "given by compiled code"
"""Owner of the cells that hold, by the key of a tensor, the order of the call that gave it."""
METADATA = frozenset(
    {"size", "dim", "ndimension", "numel", "nelement", "stride", "is_contiguous", "element_size", "get_device", "type",
     "is_floating_point", "is_complex", "storage_offset", "requires_grad_", "detach", "view", "reshape", "__len__"}
)  # fmt: skip
"""Methods of tensors that do not read the numbers in them (or give a view, which is not followed)."""
READING = frozenset({"print", "float", "int", "bool", "str", "repr", "sum", "max", "min"})
"""Functions of Python that read a tensor they are given."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where the script marks the beginning of a step: before the event of this order, inside of these loops."""

    order: Order
    root: str
    loops: frozenset[Cond]


@dataclass(slots=True)
class Compiled:
    """What happened to compiled code so far."""

    calls: dict[Order, CompiledCall] = field(default_factory=dict)
    """Its calls, without those inside of others, by when they were."""
    steps: list[Step] = field(default_factory=list)
    """Where `torch.compiler.cudagraph_mark_step_begin()` was called."""


_ABOUT = "compiled", ""


def note(m: Machine, event: CompiledCall, since: int) -> None:
    """Remember the tensors that were made in a call of compiled code; `since` is the last identity from before it."""
    for _, tensor in _tensors(m, event.result):
        if tensor.key[:1] == "t" and tensor.key[1:].isdigit() and int(tensor.key[1:]) > since:
            m.store.write(GIVEN, tensor.key, Const(event.order))
    m.do(_called, event)


@change(waits=lambda _: _ABOUT)
def _called(m: Machine, event: CompiledCall) -> None:
    m.world.of(Compiled).calls[event.order] = event


def read(m: Machine, node: nodes.Node, *values: Value) -> None:
    """Tell the rules where a tensor that compiled code gave is read after compiled code ran again."""
    if m.root.muted or m.root.compiling:
        return
    if not m.world.of(Compiled).calls and not m.waits(_ABOUT):
        return
    for value in values:
        for many, tensor in _tensors(m, value):
            order = m.read(GIVEN, tensor.key)
            made = _call(m, order.value) if isinstance(order, Const) and isinstance(order.value, Order) else None
            if made is None:
                continue
            later = made if many else _after(m, made)
            if later is not None and not _is_same_step(m, made, later):
                m.emit(ResultRead, node, tensor=tensor, made=made, later=later)


def read_by(m: Machine, site: Call, name: str) -> None:
    """`name` of torch or of Python reads what it is given."""
    if name in READING or (name.startswith("torch.") and not name.startswith("torch.compiler.")):
        read(m, site.node, *site.values)


def _call(m: Machine, order: Order) -> CompiledCall | None:
    m.want(_ABOUT)
    return m.world.of(Compiled).calls.get(order)


def _after(m: Machine, made: CompiledCall) -> CompiledCall | None:
    """The first call of compiled code after another, in this run and on this path."""
    known, root = m.world.of(Compiled).calls, m.root.name
    later = (event for event in known.values() if event.order > made.order and event.root == root == made.root)
    return next((event for event in later if consistent([*m.root.path.items(), *event.path.items()]) is not None), None)


def begin_step(m: Machine) -> None:
    """`torch.compiler.cudagraph_mark_step_begin()` is called."""
    if not m.root.muted:
        loops = frozenset(cond for cond in m.root.path if cond.kind == "loop")
        m.do(_stepped, Step(m.facts.next_order, m.root.name, loops))


@change(waits=lambda _: _ABOUT)
def _stepped(m: Machine, step: Step) -> None:
    m.world.of(Compiled).steps.append(step)


def _is_same_step(m: Machine, made: CompiledCall, later: CompiledCall) -> bool:
    """Whether both calls are of one step that the script marks, in which none overwrites the results of another.

    Once a step is marked, only the next mark ends it (2.13.0 `_inductor/cudagraph_trees.py`:2548; run on torch 2.11
    with an NVIDIA GPU).
    """
    marks = [step for step in m.world.of(Compiled).steps if step.root == made.root]
    before = [step for step in marks if step.order <= made.order]
    if not before:
        return False
    if made is later:
        return not {c for c in made.path if c.kind == "loop"} <= before[-1].loops
    return not any(made.order < step.order <= later.order for step in marks)


def _tensors(m: Machine, value: Value, depth: int = 3) -> Iterator[tuple[bool, Tensor]]:
    """The tensors in a value, each with whether it stands for any number of alike ones."""
    for _, leaf in leaves(m.see(value), m.root.path):
        match leaf:
            case Tensor():
                yield False, leaf
            case Many(element):
                yield from ((True, tensor) for _, tensor in _tensors(m, element, depth))
            case Tup(items) if depth:
                for item in items:
                    yield from _tensors(m, item, depth - 1)
            case Pairs(pairs) if depth:
                for _, item in pairs:
                    yield from _tensors(m, item, depth - 1)
            case Obj(kind="list" | "dict") if depth:
                alike = containers.element_of(m, leaf)
                if alike is not None:
                    yield from _tensors(m, Many(alike), depth - 1)
                held = containers.items_of(m, leaf) if leaf.kind == "list" else None
                for one in held or [v for _, v in containers.dict_pairs(m, leaf) or ()]:
                    yield from _tensors(m, one, depth - 1)
            case _:
                pass
