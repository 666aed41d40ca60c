"""Compiled artefacts: `aoti_compile_and_package`, `aot_compile`, packaging, and the ways to load and call them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers, paths
from aoti_lint.language.effects import api_calls, autocasts, made_folders, settings
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import GRAPH
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.export import export
from aoti_lint.models.modules import weight_names
from aoti_lint.models.process import process
from aoti_lint.models.torch import devices, gpus
from aoti_lint.values import events as ev
from aoti_lint.values.call import Call
from aoti_lint.values.values import (
    ABSENT,
    NO_FILE,
    NONE,
    Choice,
    Const,
    Device,
    FileName,
    Loaded,
    LoadedProgram,
    Obj,
    Package,
    PathValue,
    Program,
    ProgramModule,
    Ref,
    Unknown,
    Value,
    choose,
    leaves,
)

if TYPE_CHECKING:
    from aoti_lint.machine.machine import Machine


# ---------------------------------------------------------------- files


def write_file(m: Machine, file: FileName, artefact: Value) -> None:
    """Remember what the script wrote where, for a load later in the same run."""
    if file == NO_FILE:
        return
    for literals, leaf in leaves(file.given, m.root.path):
        slot = "/".join(paths.path_key(m, leaf))
        written, before = artefact, m.store.read("files", slot) or ABSENT
        for cond, answer in literals.items():
            if cond not in m.root.path:
                written = choose(cond, written, before) if answer else choose(cond, before, written)
        m.store.write("files", slot, written)


def read_file(m: Machine, file: Value) -> Value | None:
    """What the script wrote there before; None if it did not."""
    file = m.see(file)
    made_folders.note_file(m, file)
    if isinstance(file, PathValue):
        file = m.see(file.text)
    if isinstance(file, Package | Program):
        return file
    if isinstance(file, Choice):
        then, other = read_file(m, file.then), read_file(m, file.other)
        return None if then is None or other is None else choose(file.cond, then, other)
    return m.read("files", "/".join(paths.path_key(m, file)))


# ---------------------------------------------------------------- compiling


def make_package(m: Machine, call: Call, api: str, kind: str, program: Value, target: Value) -> Value:
    """The artefact a compile gives, written to `target`."""
    file = paths.file_name(m, target)
    made = Package(
        m.fresh(),
        m.span(call.node),
        api,
        kind,
        program,
        export.program_device(m, program),
        file,
        dict(m.root.path),
        tuple(m.root.chain),
        autocasts.around(m),
    )
    write_file(m, file, made)
    m.emit(ev.CompileEvent, call.node, package=made)
    return made


def option(m: Machine, call: Call, name: str, key: str) -> Value:
    """One entry of an options dict argument; None if it is not there."""
    given = call.kwargs.get(name)
    found = containers.lookup(m, m.see(given), Const(key)) if given is not None else None
    if given is not None and m.see(given) != NONE and found is None:
        return Unknown(f"u{m.fresh()}", f"the entry {key} of {name} is not known")
    return found if found is not None and found != ABSENT else NONE


@function("torch._inductor.aoti_compile_and_package")
def _compile_and_package(m: Machine, call: Call) -> Value:
    program = export.plain_program(m, call.arg(0, "exported_program") or NONE)
    default: Value = Unknown(f"u{m.fresh()}", "unknown arguments") if call.open else NONE
    file = call.kwargs.get("package_path", default)
    settings.tell_options(m, call, "torch._inductor.aoti_compile_and_package", "inductor_configs")
    return make_package(m, call, "torch._inductor.aoti_compile_and_package", "pt2", program, file)


@function("torch._inductor.aot_compile")
def _aot_compile(m: Machine, call: Call) -> Value:
    program = export.plain_program(m, call.arg(0, "gm") or NONE)
    settings.tell_options(m, call, "torch._inductor.aot_compile", "options")
    file = option(m, call, "options", "aot_inductor.output_path")
    return make_package(m, call, "torch._inductor.aot_compile", "so", program, file)


@function("torch._export.aot_compile")
def _old_aot_compile(m: Machine, call: Call) -> Value:
    program = export.make_program(m, call, "torch._export.aot_compile", call.arg(0, "f"))
    settings.tell_options(m, call, "torch._export.aot_compile", "options")
    file = option(m, call, "options", "aot_inductor.output_path")
    return make_package(m, call, "torch._export.aot_compile", "so", program, file)


@function("torch._inductor.package.package_aoti", "torch._inductor.package.package.package_aoti")
def _package_aoti(m: Machine, call: Call) -> Value:
    """Files of one model (or a dict of several) into one archive."""
    target = call.arg(0, "archive_file") or call.arg(None, "aoti_output_dir") or NONE
    file = paths.file_name(m, target)
    given = m.see(call.arg(1, "aoti_files") or NONE)
    pairs = containers.dict_pairs(m, given)
    if isinstance(given, Package):
        made: Value = Package(
            m.fresh(),
            m.span(call.node),
            "torch._inductor.package.package_aoti",
            "pt2",
            given.program,
            given.device,
            file,
            dict(m.root.path),
            tuple(m.root.chain),
        )
    elif pairs is not None:
        made = Obj(m.fresh(), "object", Ref("several models"))
        for key, value in pairs:
            if isinstance(key, Const):
                held = m.see(value)
                m.store.write(
                    made.ident, str(key.value), replace(held, kind="pt2") if isinstance(held, Package) else held
                )
    else:
        made = m.unknown(call.node, "the files of the package are not known")
    write_file(m, file, made)
    m.emit(ev.PackEvent, call.node, models=containers.freeze(m, given), file=file)
    return target


@function("torch.export.pt2_archive._package.package_pt2")
def _package_pt2(m: Machine, call: Call) -> Value:
    """Programs and models into one archive: which of them a load means is not followed."""
    target = call.arg(0, "f") or NONE
    file, files = paths.file_name(m, target), call.kwargs.get("aoti_files", NONE)
    models = m.unknown(call.node, "the models of the package are not known") if call.open else files
    write_file(m, file, m.unknown(call.node, "a package of programs and models"))
    m.emit(ev.PackEvent, call.node, models=containers.freeze(m, models), file=file)
    return target


# ---------------------------------------------------------------- loading


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
    m.emit(ev.LoadEvent, call.node, loaded=made)
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


def emit_call(m: Machine, call: Call, target: Value, checked: Value | None = None, flat: bool = False) -> None:
    m.emit(
        ev.CallEvent,
        call.node,
        target=target,
        args=tuple(containers.freeze(m, a) for a in call.args),
        kwargs={k: containers.freeze(m, v) for k, v in call.kwargs.items()},
        arg_spans=tuple(m.span(n) for n in call.arg_nodes),
        open=call.open,
        checked=checked,
        autocasts=autocasts.around(m),
        flat=flat,
    )


def changed_graph(m: Machine, module: Value) -> Value | None:
    """What stands for an exported module whose graph other code may have changed, and with it its inputs."""
    if not isinstance(module, ProgramModule):
        return None
    programs = [leaf for _, leaf in leaves(module.program, m.root.path) if isinstance(leaf, Program | LoadedProgram)]
    marks = [mark for one in (module, *programs) if (mark := m.read(one.ident, GRAPH))]
    return next((leaf for mark in marks for _, leaf in leaves(mark, m.root.path) if isinstance(leaf, Unknown)), None)


def placed(m: Machine, device: Value | None, reason: str) -> Value:
    """An unknown result on a device. That it is unknown is nothing to explain."""
    made = Unknown(f"u{m.fresh()}", reason)
    if device is not None:
        m.store.write("moved", made.key, device)
    return made


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
    device = package.device if isinstance(package, Package) else None
    return placed(m, device, "what a compiled model returns")


LOADED = "torch._inductor.package.package.AOTICompiledModel"


def _on_loaded(name: str) -> None:
    @method("Loaded", name)
    def ask(m: Machine, call: Call, receiver: Value) -> Value:
        api_calls.tell(m, call, f"{LOADED}.{name}", receiver)
        if name in ("load_constants", "update_constant_buffer"):
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
    emit_call(m, call, changed_graph(m, receiver) or receiver)
    return placed(m, export.program_device(m, program), "what an exported module returns")


def _mover(name: str) -> None:
    @method("ProgramModule", name)
    def moved(m: Machine, call: Call, receiver: Value) -> Value:
        """It moves in place, and with it the parameters of the program."""
        device = devices.target(m, call) if name == "to" else devices.move_target(m, call, name)
        if device is not None:
            m.emit(ev.ModuleMove, call.node, module=receiver, device=device)
        return receiver


for _name in ("to", *devices.MOVES):
    _mover(_name)


@method("Program", "__call__")
def _call_program(m: Machine, call: Call, receiver: Value) -> Value:
    emit_call(m, call, receiver)
    return m.unknown(call.node, "an ExportedProgram cannot be called")


# ---------------------------------------------------------------- saved programs


@function("torch.export.save")
def _save(m: Machine, call: Call) -> Value:
    program, file = m.see(call.arg(0, "ep") or NONE), paths.file_name(m, call.arg(1, "f") or NONE)
    write_file(m, file, program)
    m.emit(ev.SaveEvent, call.node, program=program, file=file)
    return NONE


@function("torch.export.load")
def _load(m: Machine, call: Call) -> Value:
    file = m.see(call.arg(0, "f") or NONE)
    found = read_file(m, file)
    if isinstance(found, Program | Choice):
        return found
    loaded = LoadedProgram(m.fresh(), m.span(call.node), paths.file_name(m, file), dict(m.root.path))
    m.emit(ev.LoadEvent, call.node, loaded=loaded)
    return loaded


@method("LoadedProgram", "module")
def _loaded_module(m: Machine, call: Call, receiver: Value) -> Value:
    return ProgramModule(receiver, m.fresh())


@method("LoadedProgram", "__call__")
def _call_loaded_program(m: Machine, call: Call, receiver: Value) -> Value:
    return _call_program(m, call, receiver)


@method("LoadedProgram", "run_decompositions")
def _loaded_decompositions(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver
