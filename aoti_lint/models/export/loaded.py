"""Compiled packages that are loaded, and the ways to call them; so are the modules of exported programs."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers, frozen, paths
from aoti_lint.language.effects import api_calls, autocasts, backward, given_back, gone_folders, gradients
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import GRAPH, Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.export import export, tracing
from aoti_lint.models.export.packages import read_file
from aoti_lint.models.modules.weights import weight_names
from aoti_lint.models.process import process
from aoti_lint.models.torch import devices, gpus
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.devices import ModuleMove
from aoti_lint.values.events.forwards import DtypeMix
from aoti_lint.values.events.packages import CallEvent, LoadEvent, UnflattenedCall
from aoti_lint.values.torch_values import Device, Loaded, LoadedProgram, Package, Program, ProgramModule, Tensor
from aoti_lint.values.values import FALSE, NONE, Bound, Const, Func, Obj, Ref, Tup, Unknown, Value


def make_loaded(
    m: Machine,
    call: Call,
    api: str,
    device: Value | None,
    model: Value | None = None,
    index_at: int | None = None,
) -> Value:
    """What a loader gives for its first argument. `index_at` is the position of `device_index`."""
    file = call.arg(0, "path") or call.arg(None, "so_path") or call.arg(None, "model_path") or NONE
    package = read_file(m, file)
    if isinstance(package, Obj) and isinstance(package.cls, Ref) and package.cls.name == "several models":
        name = m.see(model) if model is not None else Const("model")
        package = m.read(package.ident, str(name.value)) if isinstance(name, Const) else None
    made = Loaded(
        m.fresh(), m.span(call.node), api, paths.file_name(m, file), device, package, dict(m.root.path),
        tuple(m.root.chain), model, _device_index(m, call, index_at), gpus.current(m),
    )  # fmt: skip
    m.emit(LoadEvent, call.node, loaded=made)
    gone_folders.note_load(m, call.node, made.file)
    return made


def _device_index(m: Machine, call: Call, position: int | None) -> Value:
    given = call.arg(position, "device_index") if position is not None else None
    if given is None:
        return Unknown(f"u{m.fresh()}", "unknown arguments") if call.open else NONE
    return NONE if m.see(given) == Const(-1) else m.see(given)


@function("torch._inductor.aoti_load_package", "torch.export.pt2_archive._package.load_package")
def _load_package(m: Machine, call: Call) -> Value:
    return make_loaded(m, call, "torch._inductor.aoti_load_package", None, Const("model"), index_at=2)


@function("torch._inductor.package.load_package", "torch._inductor.package.package.load_package")
def _load_package_by_name(m: Machine, call: Call) -> Value:
    second = m.see(call.arg(1, "model_name") or call.arg(None, "device") or Const("model"))
    # Up to 2.5 the second argument was the device, under that name.
    if isinstance(second, Const) and isinstance(second.value, str) and devices.parse(second.value):
        return make_loaded(m, call, "torch._inductor.package.load_package", devices.as_device(m, second), second)
    return make_loaded(m, call, "torch._inductor.package.load_package", None, second, index_at=4)


@function("torch._C._aoti.AOTIModelPackageLoader")
def _loader(m: Machine, call: Call) -> Value:
    return make_loaded(m, call, "torch._C._aoti.AOTIModelPackageLoader", None, call.arg(1, "model_name"), 4)


@function("torch._export.aot_load")
def _aot_load(m: Machine, call: Call) -> Value:
    def place(given: Value) -> Value:
        # A word torch does not know stays what it is: the loader refuses it.
        strange = isinstance(given, Const) and isinstance(given.value, str) and devices.parse(given.value) is None
        return Device(str(given.value)) if strange and isinstance(given, Const) else devices.as_device(m, given)

    device = lift(m, call.arg(1, "device") or Unknown(f"u{m.fresh()}", "no device given"), place)
    return make_loaded(m, call, "torch._export.aot_load", device)


RUNNERS = {"Cpu": "cpu", "Cuda": "cuda", "Xpu": "xpu", "Mps": "mps"}


def _runner(suffix: str, kind: str) -> None:
    @function(f"torch._C._aoti.AOTIModelContainerRunner{suffix}")
    def model(m: Machine, call: Call) -> Value:
        given = call.arg(2, "device_str")
        device = devices.as_device(m, given) if given is not None else devices.as_device(m, Const(kind))
        return make_loaded(m, call, f"torch._C._aoti.AOTIModelContainerRunner{suffix}", device)


for _suffix, _kind in RUNNERS.items():
    _runner(_suffix, _kind)


# ---------------------------------------------------------------- calling


def emit_call(
    m: Machine, call: Call, target: Value, checked: Value | None = None, flat: bool = False,
    kind: type[CallEvent | UnflattenedCall] = CallEvent,
) -> None:  # fmt: skip
    args = tuple(frozen.freeze(m, a) for a in call.args)
    kwargs = {k: frozen.freeze(m, v) for k, v in call.kwargs.items()}
    m.emit(
        kind,
        call.node,
        target=target,
        args=args,
        kwargs=kwargs,
        dtypes=_dtypes_mixed(m, call, target, Tup((*args, *kwargs.values()))),
        arg_spans=tuple(m.span(n) for n in call.arg_nodes),
        open=call.open,
        checked=checked,
        autocasts=autocasts.around(m),
        flat=flat,
        inferring=m.read(*gradients.CELL) == FALSE,
    )


def _dtypes_mixed(m: Machine, call: Call, target: Value, given: Value) -> tuple[DtypeMix, ...]:
    """What its forward does with dtypes that differ from those of the example, where the module of a program is called.

    The module looks at no dtype; its operations do.
    """
    program = target.program if isinstance(target, ProgramModule) else None
    if not isinstance(program, Program) or not isinstance(program.model, Obj | Func | Bound) or autocasts.around(m):
        return ()
    if m.root.trace is not None or m.root.watch is not None or call.open:
        return ()
    if _dtypes(given) == _dtypes(Tup((program.args, program.kwargs))):
        return ()
    run = tracing.run_within(m, program.model, call)
    return () if run.casts or run.unended else tuple(run.dtypes)


def _dtypes(value: Value) -> list[str | None]:
    return [tensor.dtype for tensor in tracing.tensors_in(value)]


def changed_graph(m: Machine, module: Value) -> Value | None:
    """What stands for an exported module whose graph other code may have changed, and with it its inputs."""
    if not isinstance(module, ProgramModule):
        return None
    programs = [leaf for _, leaf in leaves(module.program, m.root.path) if isinstance(leaf, Program | LoadedProgram)]
    marks = [mark for one in (module, *programs) if (mark := m.read(one.ident, GRAPH))]
    return next((leaf for mark in marks for _, leaf in leaves(mark, m.root.path) if isinstance(leaf, Unknown)), None)


def spread(m: Machine, call: Call) -> Call:
    """`runner.run([x, y])` and `loader.boxed_run([x, y])` are given the flat inputs in one list."""
    listed = m.see(call.args[0]) if len(call.args) == 1 else NONE
    items = containers.items_of(m, listed) if isinstance(listed, Obj) and listed.kind == "list" else None
    if items is None:
        return Call(call.node, [], {}, [], True, call.discarded)
    return Call(call.node, items, {}, call.arg_nodes * len(items), call.open, call.discarded)


@method("Loaded", "__call__")
def _call_loaded(m: Machine, call: Call, receiver: Value) -> Value:
    return _run_loaded(m, call, receiver)


@method("Loaded", "run", "boxed_run")
def _run_flat(m: Machine, call: Call, receiver: Value) -> Value:
    return _run_loaded(m, spread(m, call), receiver, flat=True)


def _run_loaded(m: Machine, call: Call, receiver: Value, flat: bool = False) -> Value:
    """A package reads AOTI_RUNTIME_CHECK_INPUTS once, at its first call (2.13, `codegen/cpp_wrapper_cpu.py:822`)."""
    assert isinstance(receiver, Loaded)
    latched = m.read("checked", str(receiver.ident))
    if latched is None:
        latched = process.variable(m, "AOTI_RUNTIME_CHECK_INPUTS", Const(""))
        m.store.write("checked", str(receiver.ident), latched)
    emit_call(m, call, receiver, latched, flat)
    package = m.see(receiver.package) if receiver.package is not None else None
    device, program = (package.device, m.see(package.program)) if isinstance(package, Package) else (None, None)
    called, program = (None, None) if flat else (receiver, program)
    return _made(m, call, device, program, "what a compiled model returns", called)


def _made(
    m: Machine, call: Call, device: Value | None, program: Value | None, reason: str, called: Value | None
) -> Tensor | Unknown:
    """What a call of a program, or of what was made of it, gives; `called`: what the script was told that it calls."""
    gives = tracing.given_back(m, program, call) if isinstance(program, Program) else None
    made = given_back.result(m, f"u{m.fresh()}", reason, device, gives)
    if called is not None:
        given_back.note(m, made, called)
    return made


LOADED = "torch._inductor.package.package.AOTICompiledModel"


def _on_loaded(name: str) -> None:
    @method("Loaded", name)
    def ask(m: Machine, call: Call, receiver: Value) -> Value:
        api_calls.tell(m, call, f"{LOADED}.{name}", receiver)
        if name == "load_constants":
            weight_names.tell(m, call, receiver)
        return m.unknown(call.node, "a method of a loaded model")


for _name in ("get_metadata", "get_constant_fqns", "get_call_spec", "update_constant_buffer", "load_constants"):
    _on_loaded(_name)


@attribute("Loaded", "loader")
def _inner(m: Machine, node: nodes.Node, value: Value) -> Value:
    return value


@method("ProgramModule", "__call__", "forward")
def _call_module(m: Machine, call: Call, receiver: Value) -> Value:
    program = receiver.program if isinstance(receiver, ProgramModule) else NONE
    changed = changed_graph(m, receiver)
    emit_call(m, call, changed or receiver)
    made = _made(
        m, call, export.program_device(m, program), None if changed else program, "what an exported module returns",
        None if changed else receiver,
    )  # fmt: skip
    return backward.given(m, program.through if isinstance(program, Program) else None, made)


@method(export.UNFLATTENED, "__call__", "forward")
def _call_unflattened(m: Machine, call: Call, receiver: Value) -> Value:
    module = m.see(m.read(receiver.ident, export.MODULE) or NONE) if isinstance(receiver, Obj) else NONE
    if not isinstance(module, ProgramModule) or changed_graph(m, module) is not None:
        return m.unknown(call.node, "what an unflattened module returns")
    emit_call(m, call, module, kind=UnflattenedCall)
    device = export.program_device(m, module.program)
    return _made(m, call, device, module.program, "what an unflattened module returns", None)


def _of_mode(name: str) -> None:
    @method("ProgramModule", name)
    def switched(m: Machine, call: Call, receiver: Value) -> Value:
        """It raises, unless somebody has put another method there, as those do who give its graph another mode."""
        if changed_graph(m, receiver) is None:
            api_calls.tell(m, call, f"torch.export.ExportedProgram.module.{name}", receiver)
        return receiver


for _name in ("eval", "train"):
    _of_mode(_name)


def _mover(name: str) -> None:
    @method("ProgramModule", name)
    def moved(m: Machine, call: Call, receiver: Value) -> Value:
        """It moves in place, and with it the parameters of the program."""
        device = devices.target(m, call) if name == "to" else devices.move_target(m, call, name)
        if device is not None:
            m.emit(ModuleMove, call.node, module=receiver, device=device)
        if name == "to" and (device is None or len(call.args) > 1 or "dtype" in call.kwargs):
            m.forget(receiver, "its weights were cast, and it may take inputs of another dtype")
        return receiver


for _name in ("to", *devices.MOVES):
    _mover(_name)


@method("Program", "__call__")
@method("LoadedProgram", "__call__")
def _call_program(m: Machine, call: Call, receiver: Value) -> Value:
    emit_call(m, call, receiver)
    return m.unknown(call.node, "an ExportedProgram cannot be called")
