"""Checkpoints and TorchScript: the files of `torch.save` and `torch.jit`, and scripted modules and functions."""

from __future__ import annotations

from aoti_lint.language.classes import modules
from aoti_lint.language.data import containers, paths
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.export import packages
from aoti_lint.models.python.standard import duplicate
from aoti_lint.models.torch import devices
from aoti_lint.values.call import Call
from aoti_lint.values.events import FileEvent
from aoti_lint.values.values import (
    NONE,
    Absent,
    Bound,
    Choice,
    Const,
    Device,
    FileName,
    Func,
    Obj,
    Ref,
    Sym,
    Text,
    Unknown,
    Value,
    choose,
    leaves,
)

MODULE, FUNCTION = "torch.jit.ScriptModule", "torch.jit.ScriptFunction"


@function("torch.jit.script", "torch.jit.trace", "torch.jit.freeze", "torch.jit.optimize_for_inference")
def _script(m: Machine, call: Call) -> Value:
    def apply(given: Value) -> Value:
        if modules.is_module(m, given):
            return _module(m, given)
        if isinstance(given, Func | Bound):
            return Obj(m.fresh(), "object", Ref(FUNCTION))
        return m.unknown(call.node, "what TorchScript made of a value that is not known")

    return lift(m, call.arg(0, "obj") or call.kwargs.get("func") or call.kwargs.get("mod") or NONE, apply)


@function("torch.jit.load")
def _load_scripted(m: Machine, call: Call) -> Value:
    _tell(m, call, "torch.jit.load", call.arg(0, "f"))
    return _module(m, None)


@function("torch.load", "torch.serialization.load")
def _load(m: Machine, call: Call) -> Value:
    """What was saved, with all its tensors where `map_location` says, if it names a place.

    A checkpoint that the same run has saved is a copy of what it saved.
    """
    given = call.arg(0, "f")
    _tell(m, call, "torch.load", given)
    saved = _where_written(packages.read_file(m, given or NONE))
    if saved is not None and all(isinstance(leaf, Obj) for _, leaf in leaves(saved)):
        return lift(m, saved, lambda checkpoint: duplicate(m, checkpoint, {}))
    made = m.unknown(call.node, "the result of torch.load() is not known")
    place = m.see(call.arg(1, "map_location") or NONE)
    if isinstance(made, Unknown) and all(_names_a_place(leaf) for _, leaf in leaves(place)):
        m.store.write("moved", made.key, devices.as_device(m, place))
    return made


def _where_written(saved: Value | None) -> Value | None:
    """What a file holds; where the run has not written it, an earlier run of the same code has."""
    if not isinstance(saved, Choice):
        return None if isinstance(saved, Absent) else saved
    then, other = _where_written(saved.then), _where_written(saved.other)
    return other if then is None else then if other is None else choose(saved.cond, then, other)


def _names_a_place(value: Value) -> bool:
    usual = value.default if isinstance(value, Sym) else value
    return isinstance(usual, Device) or (isinstance(usual, Const) and isinstance(usual.value, str))


@function("torch.save", "torch.serialization.save")
def _save(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0, "obj") or NONE)
    checkpoint = duplicate(m, given, {}) if isinstance(given, Obj) and _is_checkpoint(m, given) else None
    _written(m, call, "torch.save", call.arg(1, "f"), checkpoint)
    return NONE


def _is_checkpoint(m: Machine, value: Value, depth: int = 3) -> bool:
    """Whether a value is a dict of numbers, texts and dicts of weights, whose tensors are not known one by one."""
    value = m.see(value)
    if isinstance(value, Obj) and value.kind == "dict" and depth:
        pairs = containers.dict_pairs(m, value)
        return pairs is None or all(_is_checkpoint(m, held, depth - 1) for _, held in pairs)
    return isinstance(value, Const | Unknown | Sym | Text)


@function("torch.jit.save")
def _save_scripted(m: Machine, call: Call) -> Value:
    _written(m, call, "torch.jit.save", call.arg(1, "f"))
    return NONE


@method("Module", "save")
def _save_module(m: Machine, call: Call, receiver: Value) -> Value:
    _written(m, call, "torch.jit.save", call.arg(0, "f"))
    return NONE


def _tell(m: Machine, call: Call, api: str, given: Value | None) -> FileName:
    file = paths.file_name(m, given or NONE)
    m.emit(FileEvent, call.node, api=api, file=file)
    return file


def _written(m: Machine, call: Call, api: str, given: Value | None, content: Value | None = None) -> None:
    file = _tell(m, call, api, given)
    packages.write_file(m, file, content or m.unknown(call.node, f"what {api} wrote"))


def _module(m: Machine, source: Value | None) -> Value:
    """A scripted module: of the module `source`, whose devices are its devices too, or out of a file."""
    made = Obj(m.fresh(), "module", Ref(MODULE))
    modules.start_module(m, made)
    if source is not None:
        m.store.write(made.ident, "#given0", source)
    else:
        m.store.write(made.ident, "#device", Unknown(f"u{m.fresh()}", "the device of a module out of a file"))
    return made
