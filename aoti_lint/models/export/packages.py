"""What is written: packages, by `aoti_compile_and_package`, `aot_compile` and packaging, and saved programs."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers, frozen, paths
from aoti_lint.language.effects import api_calls, autocasts, gone_folders, made_folders, settings
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.export import export
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose, leaves
from aoti_lint.values.events.packages import CompileEvent, ExtraEvent, LoadEvent, PackEvent, PathUse, SaveEvent
from aoti_lint.values.torch_values import NO_FILE, FileName, LoadedProgram, Package, Program, ProgramModule
from aoti_lint.values.values import ABSENT, NONE, Choice, Const, Obj, PathValue, Ref, Unknown, Value

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
    """What the script wrote there last; None if it did not."""
    file = m.see(file)
    made_folders.note_file(m, file)
    if isinstance(file, PathValue):
        file = m.see(file.text)
    if isinstance(file, Program):
        return file
    if isinstance(file, Choice):
        then, other = read_file(m, file.then), read_file(m, file.other)
        return None if then is None or other is None else choose(file.cond, then, other)
    return m.read("files", "/".join(paths.path_key(m, file))) or (file if isinstance(file, Package) else None)


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
    m.emit(CompileEvent, call.node, package=made)
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


@method("Package", "__call__")
def _call_path(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Package):
        m.emit(PathUse, call.node, package=receiver, used="called")
    return m.unknown(call.node, "a path cannot be called")


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
    m.emit(PackEvent, call.node, models=frozen.freeze(m, given), file=file)
    return target


@function("torch.export.pt2_archive._package.package_pt2")
def _package_pt2(m: Machine, call: Call) -> Value:
    """Programs and models into one archive: which of them a load means is not followed."""
    target = call.arg(0, "f") or NONE
    file, files = paths.file_name(m, target), call.kwargs.get("aoti_files", NONE)
    models = m.unknown(call.node, "the models of the package are not known") if call.open else files
    write_file(m, file, m.unknown(call.node, "a package of programs and models"))
    m.emit(PackEvent, call.node, models=frozen.freeze(m, models), file=file)
    return target


# ---------------------------------------------------------------- saved programs


@function("torch.export.save")
def _save(m: Machine, call: Call) -> Value:
    program, file = m.see(call.arg(0, "ep") or NONE), paths.file_name(m, call.arg(1, "f") or NONE)
    write_file(m, file, program)
    extra = (
        m.unknown(call.node, "the arguments are not all known") if call.open else call.kwargs.get("extra_files", NONE)
    )
    m.emit(SaveEvent, call.node, program=program, file=file, extra=frozen.freeze(m, extra))
    return NONE


@function("torch.export.load")
def _load(m: Machine, call: Call) -> Value:
    file = m.see(call.arg(0, "f") or NONE)
    wanted = m.see(call.kwargs.get("extra_files", NONE))
    if wanted != NONE:
        m.emit(ExtraEvent, call.node, file=paths.file_name(m, file), wanted=frozen.freeze(m, wanted))
        m.forget(wanted, "torch.export.load writes into it")
    loaded = LoadedProgram(m.fresh(), m.span(call.node), paths.file_name(m, file), dict(m.root.path))
    m.emit(LoadEvent, call.node, loaded=loaded)
    gone_folders.note_load(m, call.node, loaded.file)
    found = read_file(m, file)
    return found if isinstance(found, Program | Choice) else loaded


@method("LoadedProgram", "module")
def _loaded_module(m: Machine, call: Call, receiver: Value) -> Value:
    return ProgramModule(receiver, m.fresh())


@method("LoadedProgram", "run_decompositions")
def _loaded_decompositions(m: Machine, call: Call, receiver: Value) -> Value:
    api_calls.tell(m, call, export.DECOMPOSING, receiver)
    return receiver
