"""`torch.export.export` and its relatives, and what becomes of an exported program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.language.data import frozen
from aoti_lint.language.effects import api_calls, autocasts, exported_state, inference, marks
from aoti_lint.language.tools import leave, opaque
from aoti_lint.language.truths import ask
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.machine.state import Trace
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.export import shape_builders, strange_inputs, usual
from aoti_lint.models.export.tracing import flat_tensors, trace
from aoti_lint.models.modules import forwards, lazy_layers, module_parts
from aoti_lint.models.modules.left_out import left_out
from aoti_lint.models.modules.weights import weight_names
from aoti_lint.models.torch import autocast, compiling, devices, inferred
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.choices import leaves as alternatives
from aoti_lint.values.conditions import TRIED, Cond
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.events.forwards import InferenceUse
from aoti_lint.values.events.packages import AttributeUse
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Mixed, Package, Program, ProgramModule, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Func, Obj, Pairs, Ref, Tup, Unknown, Value

EXPORTS = (
    "torch.export.export", "torch.export.export_for_training", "torch.export.export_for_inference",
    "torch.export.draft_export", "torch.export._draft_export.draft_export", "torch.export._trace._export",
    "torch.export._trace._export_for_training",
)  # fmt: skip
REPORT = "torch.export._draft_export.DraftExportReport"
DECOMPOSING = "torch.export.ExportedProgram.run_decompositions"
"""The name by which rules are told of it."""
MOST_MODELS = 4
"""So many models that may be exported at one place are followed apart."""


def each_of_few(m: Machine, model: Value | None, run: Callable[[Value], Value]) -> Value:
    """What `run` gives for the model, or for each where it is one of a few."""
    seen = m.see(model if model is not None else NONE)
    is_one = isinstance(seen, Choice) and len(alternatives(seen)) <= MOST_MODELS
    return lift(m, seen, run) if is_one else run(seen)


def make_program(m: Machine, call: Call, api: str, model: Value | None) -> Value:
    """The program an export gives; tells the rules."""
    return each_of_few(m, model, partial(_made, m, call, api))


def _made(m: Machine, call: Call, api: str, model: Value) -> Value:
    follow = partial(followed, m, call, api, model)
    with usual.looking(m) as met:
        made, told, first = follow()
    emit = partial(m.emit, ExportEvent, call.node)
    emit(program=made, **told)
    usual.tell(m, met, told, follow, emit)
    exported_state.exported(m, first.read)
    # Where nothing catches it, what follows is judged as if it had gone well.
    return leave(m, "RuntimeError") if first.refused and _is_caught(m) else made


def followed(m: Machine, call: Call, api: str, model: Value | None) -> usual.Followed:
    """What comes of an export."""
    seen = m.see(model if model is not None else NONE)
    names = weight_names.names_of(m, seen)
    wrapped = compiling.is_compiled(seen) or (isinstance(seen, Obj) and seen.cls == Ref(UNFLATTENED))
    seen = compiling.plain(m, seen)
    first = trace(m, call, seen)
    made = replace(described(m, call, api, seen, first, wrapped), names=names)
    told: dict[str, Any] = {"modes": tuple(first.modes), "mixes": tuple(first.mixes)}
    told |= {"layers": tuple(first.layers), "strange_outputs": first.strange, "sizes": tuple(first.sizes)}
    if not (first.casts or autocasts.around(m)):
        told |= {"dtypes": tuple(first.dtypes), "conds": tuple(first.conds)}
    strange = tuple(strange_inputs.found(m, made.args, made.kwargs, made.signature))
    told |= hooks.read_again(m, call, made, first)
    told |= {"control": tuple(first.control), "graphs": tuple(first.graphs.items())}
    if inference.is_off(m):
        met = (InferenceUse("weights", m.span(call.node), one, ()) for one in inferred.weights(m, seen))
        told["inference"] = (*met, *first.saved, *told.get("inference", ()))
    else:
        told["inference"] = ()
    told["lazy"] = lazy_layers.waiting(m, seen)
    told |= {"lost_in_forward": tuple(dict.fromkeys(first.lost)), "unended": first.unended, "strange": strange}
    return made, told, first


def _is_caught(m: Machine) -> bool:
    """Whether a handler around goes on after any exception, and no test demands one."""
    guards = m.root.guards
    return m.catches("Exception", "BaseException") and not any(one.expected for one in guards)


BY_DYNAMO = frozenset({"torch._export.aot_compile"})
"""Exports that trace as one with `strict=True` does (`torch/_export/__init__.py`, release 2.13.0)."""
UNFLATTENED = "torch.export.unflatten.UnflattenedModule"
MODULE = "#module"
"""Where such a module has that of its program."""


def described(m: Machine, call: Call, api: str, model: Value, found: Trace, wrapped: bool = False) -> Program:
    """The program that an export of `model` gives; `found` is what the run of its forward came by.

    `wrapped`: its forward takes `*args` and `**kwargs`, as of what `torch.compile` and `torch.export.unflatten` give.
    """
    open_ended = Unknown(f"u{m.fresh()}", "the arguments are not all known")
    absent: Value = open_ended if call.open else NONE
    args = frozen.freeze(m, call.arg(1, "args", open_ended if call.open else Tup(())) or NONE)
    kwargs = frozen.freeze(m, call.arg(2, "kwargs", absent) or NONE)
    params, settled = forwards.parameters(m, model), forwards.is_settled(m, model)
    wrapped = wrapped and m.see(call.arg(3, "dynamic_shapes") or NONE) != NONE
    if wrapped:
        params = (("args", "var"), ("kwargs", "kwvar"))
    names = None if params is None or any(k in ("var", "kwvar") for _, k in params) else tuple(n for n, _ in params)
    given = call.arg(3, "dynamic_shapes")  # by position in the exports that are not public
    named = strange_inputs.inputs(args, kwargs, names)
    unnamed = [one for name, value in named for one in strange_inputs.unnamed(m, name, value)]
    # Releases before 2.4 took what is dynamic as `constraints`.
    unsaid = open_ended if "constraints" in call.kwargs else absent
    spec = shape_builders.resolved(m, unsaid if given is None else given, args, kwargs, names)
    leaves = flat_tensors(args) + (flat_tensors(kwargs) if kwargs != NONE else [])
    tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
    lacks, parts = left_out(m, model)
    marked = [(leaf.key, dims) for leaf in tensors if (dims := m.read(marks.DIMS, leaf.key))]
    return Program(
        ident=m.fresh(),
        span=m.span(call.node),
        traced=found.number,
        api=api,
        model=model,
        args=args,
        kwargs=kwargs,
        spec=spec,
        strict=TRUE if api in BY_DYNAMO else call.kwargs.get("strict", absent),
        device=_device(m, model, leaves, found),
        path=dict(m.root.path),
        chain=tuple(m.root.chain),
        marks=tuple(marked),
        handed=isinstance(model, Obj) and m.read(model.ident, HANDED) is not None,
        strays=shape_builders.strays(m, m.see(given or NONE), leaves),
        signature=names,
        parameters=params if settled else None,
        defaults=forwards.defaults(m, model) if settled else (),
        mentioned=forwards.operands(m, model) if settled else (),
        layers=forwards.layers(m, model) if settled else (),
        oblivious=_oblivious(m),
        outputs=found.outputs,
        unnamed=(*unnamed, *found.unnamed),
        plain=found.plain,
        wrapped=wrapped,
        holds=module_parts.held(m, model),
        lacks=lacks,
        parts=parts,
        read=frozenset(found.read),
        through=found.through,
        ops=tuple(found.ops.items()),
        kernels=tuple(launch for launch, around in found.launched.items() if around == len(m.root.path)),
        autocasts=autocasts.around(m),
        # A forward that has an autocast of its own needs none around it.
        castable=None if found.casts else autocast.castable(m, model),
    )


def _oblivious(m: Machine) -> bool:
    """Whether `torch.fx.experimental._config.backed_size_oblivious` may be on."""
    value = m.read("external", "torch.fx.experimental._config.backed_size_oblivious")
    return value is not None and value != FALSE


def _device(m: Machine, model: Value, leaves: list[Value], traced: Trace) -> Value:
    """What an export of `model` with these inputs is for: where its parameters live, else where its inputs do.

    One tensor elsewhere makes a package for that device: `GraphLowering.init_wrapper_code` takes the one that is not
    the CPU (2.4.1 and 2.15.0 _inductor/graph.py).
    """

    def apply(one: Value) -> Value:
        found = _of_outside(one)
        if traced.places and found == devices.CPU:
            return Unknown(f"u{m.fresh()}", "the forward makes tensors on a device of its own")
        return found

    def _of_outside(one: Value) -> Value:
        if one == NONE:
            return Unknown(f"u{m.fresh()}", "nothing was given to export")
        if isinstance(one, Func):
            place: Value | None = None
        else:
            place = module_parts.device_of(m, one)
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
    program = make_program(m, call, "torch._export.capture_pre_autograd_graph", call.arg(0, "f"))
    return ProgramModule(program, m.fresh())


# ---------------------------------------------------------------- what becomes of a program


@method("Program", "module")
def _module(m: Machine, call: Call, receiver: Value) -> Value:
    return ProgramModule(receiver, m.fresh())


@function("torch.export.unflatten", "torch.export.unflatten.unflatten")
def _unflatten(m: Machine, call: Call) -> Value:
    made = opaque(m, UNFLATTENED)
    m.store.write(made.ident, MODULE, ProgramModule(m.see(call.arg(0, "module") or NONE), m.fresh()))
    return made


@method("Program", "run_decompositions")
def _decompositions(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Program)
    api_calls.tell(m, call, DECOMPOSING, receiver)
    return replace(receiver, ident=m.fresh())


@attribute("Program", "example_inputs")
def _example_inputs(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Program)
    return Tup((value.args, value.kwargs if value.kwargs != NONE else Pairs(())))


@attribute("Program", "range_constraints", "graph_signature", "graph", "graph_module", "constants")
def _opaque(m: Machine, node: nodes.Node, value: Value) -> Value:
    m.emit(AttributeUse, node, of=value, name=getattr(node, "name", ""), used="read")
    return m.unknown(node, "a part of an exported program")


@attribute("Program", "_report")
def _report_of(m: Machine, node: nodes.Node, value: Value) -> Value:
    m.emit(AttributeUse, node, of=value, name="_report", used="read")
    return Obj(m.fresh(), "object", Ref(REPORT))


@method(REPORT, "successful")
def _went_well(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    return ask(m, Cond((TRIED, receiver.ident), "unknown", "a draft export went well"))


@method("ProgramModule", "float", "requires_grad_")
def _same_module(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@method("ProgramModule", "half", "double", "bfloat16")
def _cast_module(m: Machine, call: Call, receiver: Value) -> Value:
    m.forget(receiver, "its weights were cast, and it takes inputs of another dtype")
    return receiver


@method("ProgramModule", "recompile", "add_submodule", "delete_submodule", "delete_all_unused_submodules")
def _changed_module(m: Machine, call: Call, receiver: Value) -> Value:
    """These follow changes of the graph."""
    m.forget(receiver, "its graph was changed")
    return m.unknown(call.node, "the result of a change of a graph")


@attribute("ProgramModule", "graph", "code")
def _graph(m: Machine, node: nodes.Node, value: Value) -> Value:
    return m.unknown(node, "the graph of an exported module")
