"""`torch.export.export` and its relatives, and what becomes of an exported program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.interp import access, calls, containers
from aoti_lint.interp import events as ev
from aoti_lint.interp.conditions import Cond
from aoti_lint.interp.models import devices, modules, shape_builders
from aoti_lint.interp.models.registry import Call, attribute, function, method
from aoti_lint.interp.operators import lift
from aoti_lint.interp.shapes import inputs
from aoti_lint.interp.values import (
    FALSE,
    NONE,
    Bound,
    Choice,
    Class,
    Const,
    Device,
    Func,
    LoadedProgram,
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

EXPORTS = (
    "torch.export.export", "torch.export.export_for_training", "torch.export.export_for_inference",
    "torch.export.draft_export", "torch.export._draft_export.draft_export", "torch.export._trace._export",
    "torch.export._trace._export_for_training",
)  # fmt: skip


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
    model = m.see(model if model is not None else NONE)
    open_ended = Unknown(f"u{m.fresh()}", "the arguments are not all known")
    absent: Value = open_ended if call.open else NONE
    args = containers.freeze(m, call.arg(1, "args", open_ended if call.open else Tup(())) or NONE)
    kwargs = containers.freeze(m, call.arg(2, "kwargs", absent) or NONE)
    names = signature(m, model)
    spec = shape_builders.resolved(m, call.kwargs.get("dynamic_shapes", absent), args, kwargs, names)
    leaves = flat_tensors(args) + (flat_tensors(kwargs) if kwargs != NONE else [])
    marks = [(leaf.key, mark) for leaf in leaves if isinstance(leaf, Tensor) and (mark := m.read("marks", leaf.key))]
    made = Program(
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
        oblivious=_oblivious(m),
        ops=trace(m, call, model),
        kernels=tuple(launch for launch, around in m.launched.items() if around == len(m.path)),
    )
    m.emit(ev.ExportEvent, call.node, program=made, calls=open_calls(m, call, made))
    return made


def trace(m: Machine, call: Call, model: Value) -> tuple[tuple[str, Span], ...]:
    """The custom ops that running the model on the example inputs reaches. What the run changes is undone.

    The Triton kernels it launches are left in `m.launched`.
    """
    m.launched = m.launched if m.traced is not None else {}
    if not (modules.is_module(m, model) or isinstance(model, Func | Bound)) or m.traced is not None:
        return ()
    m.launched = {}
    return tuple(_run_forward(m, model, example(m, call)).items())


def open_calls(m: Machine, call: Call, program: Program) -> tuple[ev.OpenCall, ...]:
    """The calls of custom ops in the forward, on inputs whose sizes are open where a named `Dim` says so."""
    given, launched = example(m, call), m.launched
    opened = {one.tensor.key: made for one in inputs(program) if (made := one.opened()) is not None}
    if not (program.ops and opened) or m.traced is not None:
        return ()
    open_inputs = replace(
        given,
        args=[_exchanged(m, value, opened) for value in given.args],
        kwargs={name: _exchanged(m, value, opened) for name, value in given.kwargs.items()},
    )
    m.open_calls = []
    try:
        _run_forward(m, program.model, open_inputs)
        return tuple(m.open_calls)
    finally:
        m.open_calls, m.launched = None, launched


def _exchanged(m: Machine, value: Value, by: Mapping[str, Tensor]) -> Value:
    seen = m.see(value)
    return by.get(seen.key, value) if isinstance(seen, Tensor) else value


def example(m: Machine, call: Call) -> Call:
    """The call of the model that an export makes, with its example inputs."""
    args = containers.items_of(m, call.arg(1, "args") or Tup(()))
    named = containers.dict_pairs(m, call.arg(2, "kwargs") or NONE) or []
    return Call(call.node, args or [], {str(k.value): v for k, v in named if isinstance(k, Const)}, open=args is None)


def _run_forward(m: Machine, model: Value, given: Call) -> dict[str, Span]:
    """Run a model as an export does, which tells nobody; gives the custom ops it reaches. What it changes is undone."""
    m.traced = {}
    m.muted += 1
    m.store.push()
    pending, m.pending = m.pending, []
    try:
        calls.call(m, given, model)
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


def signature(m: Machine, model: Value) -> tuple[str, ...] | None:
    """Names of the parameters of what is exported, in order; None if they are not known or there is `*args`."""
    func: Value | None = None
    if isinstance(model, Obj) and isinstance(model.cls, Class):
        found = access.class_member(m, model.cls, "forward")
        func = found[0] if found is not None else None
    elif isinstance(model, Func):
        func = model
    elif isinstance(model, Bound):
        func = model.func
    if not isinstance(func, Func):
        return None
    params = func.node.params
    if any(p.kind in ("var", "kwvar") for p in params):
        return None
    names = tuple(p.name for p in params)
    return names if isinstance(model, Func) or func.role == "static" else names[1:]


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


@method("ProgramModule", "to", "cuda", "cpu", "xpu", "eval", "train", "half", "float", "requires_grad_")
def _module_moved(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@attribute("ProgramModule", "graph", "code")
def _graph(m: Machine, node: nodes.Node, value: Value) -> Value:
    return m.unknown(node, "the graph of an exported module")


@function("torch.export.passes.move_to_device_pass", "torch.export.passes.move_to_device_pass.move_to_device_pass")
def _move_to_device(m: Machine, call: Call) -> Value:
    """The pass rewrites the program for another device: parameters, inputs and constructors."""
    location = m.see(call.arg(1, "location") or NONE)
    pairs = containers.dict_pairs(m, location)
    if pairs is not None:
        moves = tuple((devices.as_device(m, key), devices.as_device(m, value)) for key, value in pairs)
    else:
        moves = ((NONE, devices.as_device(m, location)),)

    def apply(program: Value) -> Value:
        match program:
            case Program():
                return replace(relocate(program, moves), ident=m.fresh())
            case LoadedProgram():
                return replace(program, ident=m.fresh(), moves=(*program.moves, *moves))
            case _:
                return m.unknown(call.node, "a program that was not followed")

    return lift(m, call.arg(0, "ep") or NONE, apply)


def relocate(program: Program, moves: tuple[tuple[Value, Value], ...]) -> Program:
    """The program as `move_to_device_pass` leaves it."""

    def moved(device: Value) -> Value:
        if isinstance(device, Choice):
            return choose(device.cond, moved(device.then), moved(device.other))
        for start, end in moves:
            if start in (NONE, device) or (isinstance(device, Device) and start == Device(device.type)):
                return end
        return device

    def inputs(value: Value) -> Value:
        match value:
            case Tensor():
                return replace(value, device=moved(value.device))
            case Tup(items, fields, cls):
                return Tup(tuple(inputs(i) for i in items), fields, cls)
            case Pairs(held):
                return Pairs(tuple((k, inputs(v)) for k, v in held))
            case _:
                return value

    return replace(program, args=inputs(program.args), kwargs=inputs(program.kwargs), device=moved(program.device))
