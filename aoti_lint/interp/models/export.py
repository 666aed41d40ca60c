"""`torch.export.export` and its relatives, and what becomes of an exported program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from aoti_lint.interp import autocasts, calls, containers
from aoti_lint.interp import events as ev
from aoti_lint.interp.conditions import Cond
from aoti_lint.interp.machine import BudgetSpent
from aoti_lint.interp.models import devices, forwards, modules, shape_builders, strange_inputs
from aoti_lint.interp.models.registry import Call, attribute, function, method
from aoti_lint.interp.models.sizes import is_integer, some_integer
from aoti_lint.interp.operators import lift
from aoti_lint.interp.shapes import entry_of, inputs
from aoti_lint.interp.values import (
    FALSE,
    NONE,
    Bound,
    Class,
    Const,
    Device,
    Func,
    Mixed,
    Obj,
    Package,
    Pairs,
    Program,
    ProgramModule,
    Tensor,
    Tup,
    Unknown,
    Value,
    choose,
    ident,
)

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Span
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes
    from aoti_lint.symbolic.watch import Watch

EXPORTS = (
    "torch.export.export", "torch.export.export_for_training", "torch.export.export_for_inference",
    "torch.export.draft_export", "torch.export._draft_export.draft_export", "torch.export._trace._export",
    "torch.export._trace._export_for_training",
)  # fmt: skip

OPEN_STEPS = 1_500
"""Statements and calls of one forward that is followed with open sizes."""


def flat_tensors(value: Value) -> list[Value]:
    """The leaves of frozen example inputs, in order."""
    match value:
        case Tup(items):
            return [leaf for item in items for leaf in flat_tensors(item)]
        case Pairs(pairs):
            return [leaf for _, item in pairs for leaf in flat_tensors(item)]
        case _:
            return [value]


def make_program(m: Machine, call: Call, api: str, model: Value | None) -> Value:
    """The program an export gives; tells the rules."""
    seen = m.see(model if model is not None else NONE)
    ops = trace(m, call, seen)
    made = described(m, call, api, seen, ops)
    told: dict[str, Any] = {"modes": tuple(m.modes), "mixes": tuple(m.mixes)} if m.traced is None else {}
    strange = tuple(strange_inputs.found(m, made.args, made.kwargs, made.signature))
    told |= {**traced_openly(m, call, made), **traced_data(m, call, made)}
    m.emit(ev.ExportEvent, call.node, program=made, strange=strange, **told)
    return made


def described(m: Machine, call: Call, api: str, model: Value, ops: tuple[tuple[str, Span], ...]) -> Program:
    """The program that an export of `model` gives, which reaches these custom ops."""
    open_ended = Unknown(f"u{m.fresh()}", "the arguments are not all known")
    absent: Value = open_ended if call.open else NONE
    args = containers.freeze(m, call.arg(1, "args", open_ended if call.open else Tup(())) or NONE)
    kwargs = containers.freeze(m, call.arg(2, "kwargs", absent) or NONE)
    params, settled = forwards.parameters(m, model), forwards.is_settled(m, model)
    names = None if params is None or any(k in ("var", "kwvar") for _, k in params) else tuple(n for n, _ in params)
    spec = shape_builders.resolved(m, call.kwargs.get("dynamic_shapes", absent), args, kwargs, names)
    leaves = flat_tensors(args) + (flat_tensors(kwargs) if kwargs != NONE else [])
    marks = [(leaf.key, mark) for leaf in leaves if isinstance(leaf, Tensor) and (mark := m.read("marks", leaf.key))]
    return Program(
        ident=m.fresh(),
        span=m.span(call.node),
        api=api,
        model=model,
        args=args,
        kwargs=kwargs,
        spec=spec,
        strict=call.kwargs.get("strict", absent),
        device=_device(m, model, leaves),
        path=dict(m.path),
        chain=tuple(m.chain),
        marks=tuple(marks),
        signature=names,
        parameters=params if settled else None,
        defaults=forwards.defaults(m, model) if settled else (),
        mentioned=forwards.operands(m, model) if settled else (),
        oblivious=_oblivious(m),
        holds=modules.held(m, model),
        ops=ops,
        kernels=tuple(launch for launch, around in m.launched.items() if around == len(m.path)),
        autocasts=autocasts.around(m),
        castable=autocasts.castable(m, model),
    )


def trace(m: Machine, call: Call, model: Value) -> tuple[tuple[str, Span], ...]:
    """The custom ops that running the model on the example inputs reaches. What the run changes is undone.

    The Triton kernels it launches are left in `m.launched`, what depends on the training mode in `m.modes`, and the
    operations on several devices in `m.mixes`.
    """
    if m.traced is None:
        m.launched, m.modes, m.mixes, m.cast_inside = {}, [], [], False
    if not (modules.is_module(m, model) or isinstance(model, Func | Bound)) or m.traced is not None:
        return ()
    return tuple(_run_forward(m, model, example(m, call)).items())


def traced_openly(m: Machine, call: Call, program: Program) -> dict[str, tuple[Any, ...]]:
    """What the forward asks of sizes and which custom ops it calls, on inputs whose dynamic sizes are open.

    As parts of an `ExportEvent`; empty where nothing is declared dynamic, or an input holds what is not followed.
    """
    from aoti_lint.symbolic.forward import ForwardWatch

    given, model = example(m, call), program.model
    opened = {one.tensor.key: made for one in inputs(program) if (made := one.opened(program)) is not None}
    found = [size for _, sizes in opened.values() for size in sizes]
    if not found or m.traced is not None or m.watch is not None:
        return {}
    if not (modules.is_module(m, model) or isinstance(model, Func | Bound)):
        return {}
    by = {key: tensor for key, (tensor, _) in opened.items()}
    args = [_exchanged(m, _open_number(m, value, program, i), by) for i, value in enumerate(given.args)]
    kwargs = {name: _exchanged(m, _open_number(m, value, program, name), by) for name, value in given.kwargs.items()}
    if given.open or None in args or None in kwargs.values():
        return {}
    open_inputs = replace(
        given, args=[a for a in args if a is not None], kwargs={k: v for k, v in kwargs.items() if v is not None}
    )
    watch = ForwardWatch(examples={size.root: size.example for size in found})
    m.open_calls = []
    _watched(m, model, open_inputs, watch)
    calls_found, m.open_calls = tuple(m.open_calls), None
    return {"calls": calls_found, "open_sizes": tuple(found), "guards": tuple(watch.guards)}


def traced_data(m: Machine, call: Call, program: Program) -> dict[str, tuple[Any, ...]]:
    """What the forward asks of the values in tensors and which it changes, as parts of an `ExportEvent`."""
    from aoti_lint.symbolic.data import DataWatch, held_tensors
    from aoti_lint.symbolic.state import StateWatch

    model = program.model
    ours = isinstance(model, Func | Bound) or (isinstance(model, Obj) and isinstance(model.cls, Class))
    if not ours or m.traced is not None or m.watch is not None:
        return {}
    inputs_given = [leaf.key for leaf in flat_tensors(Tup((program.args, program.kwargs))) if isinstance(leaf, Tensor)]
    held = list(held_tensors(m, model))
    roots = frozenset([*inputs_given, *(tensor.key for _, tensor in held if tensor.role)])
    plain = {tensor.key: name for name, tensor in held if not tensor.role and tensor.key not in inputs_given}
    watch = DataWatch(roots=roots, plain=plain, handlers=len(m.guards))
    _watched(m, model, example(m, call), watch)
    told: dict[str, tuple[Any, ...]] = {"data": tuple(watch.uses), "changes": tuple(watch.changes)}
    if watch.assigned:
        state = StateWatch(buffers=frozenset(tensor.key for _, tensor in held if tensor.role == "buffer"))
        _watched(m, model, example(m, call), state, _like(m, example(m, call)))
        told["lost"] = tuple(state.lost())
    return told


def _like(m: Machine, given: Call) -> Call:
    """A call with other tensors of the same kind."""

    def other(value: Value) -> Value:
        tensors = [leaf for leaf in flat_tensors(containers.freeze(m, value)) if isinstance(leaf, Tensor)]
        by = {tensor.key: replace(tensor, key=f"t{m.fresh()}") for tensor in tensors}
        return _exchanged(m, value, by) or value

    return replace(given, args=[other(v) for v in given.args], kwargs={k: other(v) for k, v in given.kwargs.items()})


def _watched(m: Machine, model: Value, given: Call, watch: Watch, then: Call | None = None) -> None:
    """Run a model as an export does, once more and within bounds, while `watch` looks on; perhaps `then` again."""
    saved = (m.path, m.frames, m.chain, m.guards, m.steps, m.all_steps, m.aside, m.most, m.launched, m.cut, m.handed)
    depth = len(m.store.layers)
    m.frames, m.chain, m.guards = list(m.frames), list(m.chain), list(m.guards)
    m.steps, m.all_steps, m.most, m.cut, m.handed = 0, OPEN_STEPS, None, set(m.cut), list(m.handed)
    m.watch = watch
    try:
        _run_forward(m, model, given, then)
    except (BudgetSpent, RecursionError):
        pass  # what was found on the way there is true
    finally:
        m.watch = None
        del m.store.layers[depth:]
        (m.path, m.frames, m.chain, m.guards, m.steps, m.all_steps, m.aside, m.most, m.launched, m.cut, m.handed) = (
            saved
        )


def _open_number(m: Machine, value: Value, program: Program, at: int | str) -> Value:
    """An integer input as it is, unless `dynamic_shapes` may leave it open."""
    names, seen = program.signature or (), m.see(value)
    if not isinstance(seen, Const) or type(seen.value) is not int:
        return seen
    if isinstance(at, str):
        name, index = at, names.index(at) if at in names else None
    else:
        name, index = names[at] if at < len(names) else f"input {at}", at
    static = entry_of(program.spec, name, index) == NONE
    return seen if static else some_integer(m, "an integer input that may be dynamic")


def _exchanged(m: Machine, value: Value, by: Mapping[str, Tensor]) -> Value | None:
    """An input with other tensors in it; None where it may hold some that are not seen."""
    seen = m.see(value)
    match seen:
        case Tensor():
            return by.get(seen.key, seen)
        case Const() | Device() | Func():
            return seen
        case Unknown() if is_integer(seen):
            return seen
        case Tup(items):
            inner = [_exchanged(m, item, by) for item in items]
            return None if None in inner else replace(seen, items=tuple(i for i in inner if i is not None))
        case Obj(kind="list") if (held := containers.items_of(m, seen)) is not None:
            inner = [_exchanged(m, item, by) for item in held]
            return None if None in inner else m.new_list([i for i in inner if i is not None])
        case Obj(kind="dict") if (pairs := containers.dict_pairs(m, seen)) is not None:
            made = [(key, _exchanged(m, item, by)) for key, item in pairs]
            return None if any(v is None for _, v in made) else containers.new_dict(m, [(k, v) for k, v in made if v])
        case Obj(kind="instance", cls=Class(ident=number)) if m.read(number, containers.REGISTERED) is not None:
            slots = [(name, _exchanged(m, held, by)) for name, held in list(m.store.slots(seen.ident))]
            other = replace(seen, ident=m.fresh())
            for name, part in slots:
                if part is None:
                    return None
                m.store.write(other.ident, name, part)
            return other
    return None


def example(m: Machine, call: Call) -> Call:
    """The call of the model that an export makes, with its example inputs."""
    args = containers.items_of(m, call.arg(1, "args") or Tup(()))
    named = containers.dict_pairs(m, call.arg(2, "kwargs") or NONE) or []
    return Call(call.node, args or [], {str(k.value): v for k, v in named if isinstance(k, Const)}, open=args is None)


def _run_forward(m: Machine, model: Value, given: Call, then: Call | None = None) -> dict[str, Span]:
    """Run a model as an export does, which tells nobody; gives the custom ops it reaches. What it changes is undone.

    The call `then` finds what the first one has changed.
    """
    m.traced = {}
    m.muted += 1
    m.store.push()
    pending, m.pending = m.pending, []
    try:
        for one in (given, then):
            result = None if one is None else calls.call(m, one, model)
            if m.watch is not None and result is not None:
                m.watch.returned(m, result)
        return m.traced
    finally:
        m.store.pop()
        m.muted -= 1
        m.traced = None
        m.pending = pending


def _oblivious(m: Machine) -> bool:
    """Whether `torch.fx.experimental._config.backed_size_oblivious` may be on."""
    value = m.read("external", "torch.fx.experimental._config.backed_size_oblivious")
    return value is not None and value != FALSE


def _device(m: Machine, model: Value, leaves: list[Value]) -> Value:
    """What an export of `model` with these inputs is for: where its parameters live, else where its inputs do."""

    def apply(one: Value) -> Value:
        if one == NONE:
            return Unknown(f"u{m.fresh()}", "nothing was given to export")
        if isinstance(one, Func):
            place: Value | None = None
        else:
            place = modules.device_of(m, one)
        if place is not None and not _vague(place):
            return place
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        known = devices.join(m, list(tensors)) if tensors else None
        if known is None or _vague(known):
            return place or Unknown(f"u{m.fresh()}", "neither parameters nor inputs tell the device")
        if place is None and len(tensors) == len(leaves):
            return known
        if known != devices.CPU:
            return known
        # CPU inputs say little about a model we do not know: it may move them.
        assumed = Cond(
            ("assumed", ident(place) if place is not None else ident(one)),
            "assumed",
            "the model is on the device of its inputs",
        )
        return choose(assumed, known, Unknown(f"u{m.fresh()}", "the device of the model is not known"))

    return lift(m, model, apply)


def _vague(device: Value) -> bool:
    return isinstance(device, Unknown | Mixed)


def program_device(m: Machine, program: Value) -> Value:
    """The device of a program, or of what holds one."""

    def apply(one: Value) -> Value:
        match one:
            case Program(device=device):
                return m.see(device)
            case Package(device=device):
                return m.see(device)
            case ProgramModule(inner):
                return program_device(m, inner)
            case _:
                return Unknown(f"device:{ident(one)}", "the device of a program that was not followed")

    return lift(m, program, apply)


def plain_program(m: Machine, value: Value) -> Value:
    """The program behind `ep`, `ep.module()`, or a choice of them."""
    return lift(m, value, lambda v: m.see(v.program) if isinstance(v, ProgramModule) else v)


def _export(api: str) -> None:
    @function(api)
    def model(m: Machine, call: Call) -> Value:
        return make_program(m, call, api, call.arg(0, "mod"))


for _api in EXPORTS:
    _export(_api)


@function("torch._export.capture_pre_autograd_graph")
def _capture(m: Machine, call: Call) -> Value:
    return ProgramModule(make_program(m, call, "torch._export.capture_pre_autograd_graph", call.arg(0, "f")))


# ---------------------------------------------------------------- what becomes of a program


@method("Program", "module")
def _module(m: Machine, call: Call, receiver: Value) -> Value:
    return ProgramModule(receiver)


@method("Program", "run_decompositions")
def _decompositions(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Program)
    return replace(receiver, ident=m.fresh())


@attribute("Program", "example_inputs")
def _example_inputs(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Program)
    return Tup((value.args, value.kwargs if value.kwargs != NONE else Pairs(())))


@attribute("Program", "range_constraints", "graph_signature", "graph", "graph_module", "state_dict", "constants")
def _opaque(m: Machine, node: nodes.Node, value: Value) -> Value:
    return m.unknown(node, "a part of an exported program")


@method("ProgramModule", "eval", "train", "half", "float", "requires_grad_")
def _same_module(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@attribute("ProgramModule", "graph", "code")
def _graph(m: Machine, node: nodes.Node, value: Value) -> Value:
    return m.unknown(node, "the graph of an exported module")
