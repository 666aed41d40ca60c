"""Checkpoints and TorchScript: the files of `torch.save` and `torch.jit`, and scripted modules and functions."""

from __future__ import annotations

from typing import Any

from aoti_lint.language.classes import modules
from aoti_lint.language.data import containers, paths
from aoti_lint.language.effects import gone_folders
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.export import packages
from aoti_lint.models.modules.weights import weight_names
from aoti_lint.models.torch import devices
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.packages import FileEvent
from aoti_lint.values.torch_values import Device, FileName
from aoti_lint.values.values import NONE, Bound, Class, Const, Func, Obj, Ref, Sym, Unknown, Value

MODULE, FUNCTION = "torch.jit.ScriptModule", "torch.jit.ScriptFunction"


@function("torch.jit.trace")
def _trace(m: Machine, call: Call) -> Value:
    return _scripted(m, call, call.arg(0, "func"), of_module=True)


@function("torch.jit.script")
def _script(m: Machine, call: Call) -> Value:
    return _scripted(m, call, call.arg(0, "obj"), of_module=call.arg(4, "example_inputs") is not None)


@function("torch.jit.freeze", "torch.jit.optimize_for_inference")
def _freeze(m: Machine, call: Call) -> Value:
    return _scripted(m, call, call.arg(0, "mod"), of_module=True)


def _scripted(m: Machine, call: Call, of: Value | None, *, of_module: bool) -> Value:
    """What TorchScript makes of something; `of_module`: of a module, if it is not known what it is."""

    def apply(given: Value) -> Value:
        if modules.is_module(m, given):
            return _module(m, given)
        if isinstance(given, Func | Bound):
            return Obj(m.fresh(), "object", Ref(FUNCTION))
        if isinstance(given, Unknown | Sym) and of_module:
            return _module(m, given)
        return m.unknown(call.node, "what TorchScript made of a value that is not known")

    return lift(m, of or NONE, apply)


@function("torch.jit.load")
def _load_scripted(m: Machine, call: Call) -> Value:
    gone_folders.note_load(m, call.node, _tell(m, call, "torch.jit.load", call.arg(0, "f")))
    return _module(m, None)


@function("torch.load", "torch.serialization.load")
def _load(m: Machine, call: Call) -> Value:
    """What was saved, with all its tensors where `map_location` says, if it names a place."""
    only = m.see(call.kwargs.get("weights_only", NONE))
    if call.open:
        only = m.unknown(call.node, "whether only weights are loaded")
    return _checkpoint(m, call, "torch.load", call.arg(0, "f"), call.arg(1, "map_location"), only)


@function("safetensors.torch.load_file")
def _load_tensors(m: Machine, call: Call) -> Value:
    return _checkpoint(m, call, "safetensors.torch.load_file", call.arg(0, "filename"), call.arg(1, "device"))


def _checkpoint(
    m: Machine, call: Call, api: str, given: Value | None, where: Value | None, only: Value = NONE
) -> Value:
    file = _tell(m, call, api, given, weights_only=only)
    gone_folders.note_load(m, call.node, file)
    made = m.unknown(call.node, f"the result of {api}() is not known")
    place = m.see(where or NONE)
    if isinstance(made, Unknown) and all(_names_a_place(leaf) for _, leaf in leaves(place)):
        m.store.write("moved", made.key, devices.as_device(m, place))
    if isinstance(made, Unknown):
        m.store.write(weight_names.LOADED, made.key, weight_names.Checkpoint(file))
    return made


def _names_a_place(value: Value) -> bool:
    usual = value.default if isinstance(value, Sym) else value
    return isinstance(usual, Device) or (isinstance(usual, Const) and isinstance(usual.value, str))


@function("torch.save", "torch.serialization.save")
def _save(m: Machine, call: Call) -> Value:
    given = call.arg(0, "obj") or NONE
    _written(m, call, "torch.save", call.arg(1, "f"), weight_names.saved(m, given), _pickled(m, given))
    return NONE


def _pickled(m: Machine, given: Value) -> str:
    """The class of a model that is surely written whole, as `given` or as an entry of it."""
    given = m.see(given)
    pairs = containers.dict_pairs(m, given)
    inside = [given] if pairs is None else [m.see(one) for _, one in pairs]
    for one in inside:
        if isinstance(one, Obj) and modules.is_module(m, one) and one.cls != Ref(MODULE):
            return one.cls.qualname if isinstance(one.cls, Class) else one.cls.name if isinstance(one.cls, Ref) else ""
    return ""


@function("safetensors.torch.save_file")
def _save_tensors(m: Machine, call: Call) -> Value:
    names = weight_names.saved(m, call.arg(0, "tensors") or NONE)
    _written(m, call, "safetensors.torch.save_file", call.arg(1, "filename"), names)
    return NONE


@function("torch.jit.save")
def _save_scripted(m: Machine, call: Call) -> Value:
    _written(m, call, "torch.jit.save", call.arg(1, "f"))
    return NONE


@method("Module", "save")
def _save_module(m: Machine, call: Call, receiver: Value) -> Value:
    _written(m, call, "torch.jit.save", call.arg(0, "f"))
    return NONE


def _tell(m: Machine, call: Call, api: str, given: Value | None, **more: Any) -> FileName:
    file = paths.file_name(m, given or NONE)
    m.emit(FileEvent, call.node, api=api, file=file, **more)
    return file


def _written(m: Machine, call: Call, api: str, given: Value | None, names: Value = NONE, pickled: str = "") -> None:
    file = _tell(m, call, api, given, names=names, pickled=pickled)
    packages.write_file(m, file, m.unknown(call.node, f"what {api} wrote"))


def _module(m: Machine, source: Value | None) -> Value:
    """A scripted module: of the module `source`, whose devices are its devices too, or out of a file."""
    made = Obj(m.fresh(), "module", Ref(MODULE))
    modules.start_module(m, made)
    if source is not None:
        m.store.write(made.ident, "#given0", source)
    else:
        m.store.write(made.ident, "#device", Unknown(f"u{m.fresh()}", "the device of a module out of a file"))
    return made
