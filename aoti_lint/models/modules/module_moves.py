"""Modules and unknown values that are moved to a device: in place, with all that is inside."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import access
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.effects import autocasts
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, method
from aoti_lint.models.modules import lazy_layers, module_casts, module_layouts, module_parts
from aoti_lint.models.modules.weights import module_state, weight_names
from aoti_lint.models.tensors.sizes import some
from aoti_lint.models.torch import devices, gpus, inferred
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.devices import ModuleMove
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Class, Const, Func, Many, Obj, Sym, Tup, Unknown, Value


def move(m: Machine, value: Value, device: Value, seen: set[int] | None = None, loaded: bool = False) -> None:
    """Move a module in place: parameters, buffers and children, not plain tensor attributes.

    `loaded`: they are those of a `state_dict` instead, which lacks some buffers.
    """
    seen = set() if seen is None else seen
    value = m.see(value)
    if not isinstance(value, Obj) or value.ident in seen:
        if isinstance(value, Unknown):
            m.store.write("moved", value.key, device)
        return
    seen.add(value.ident)
    if not loaded and isinstance(value.cls, Class) and access.class_member(m, value.cls, "_apply") is not None:
        device = Unknown(f"u{m.fresh()}", f"{value.cls.qualname} moves itself in a way of its own")
        module_state.unsettle(m, value, device.reason)
    for slot, held in list(m.store.slots(value.ident)):
        held = m.see(held)
        if slot == "#device":
            if held not in (NONE, device):
                inferred.renewed(m, value)
            if held != NONE:
                m.store.write(value.ident, slot, device)
        elif slot == "#items" or slot.startswith("#given"):
            inner = held.items if isinstance(held, Tup) else [held.element] if isinstance(held, Many) else []
            for one in inner:
                move(m, one, device, seen, loaded)
            if isinstance(held, Tup) and any(isinstance(i, Tensor) for i in held.items):
                moved = tuple(replace(i, device=device) if isinstance(i, Tensor) else i for i in held.items)
                m.store.write(value.ident, slot, Tup(moved))
        elif isinstance(held, Tensor) and held.role:
            if loaded or held.device != device:
                inferred.renewed(m, held)
            if not loaded or not module_state.stays(m, value, slot):
                m.store.write(value.ident, slot, replace(held, device=device))
        elif not slot.startswith("#") and is_module(m, held):
            move(m, held, device, seen, loaded)
        elif not slot.startswith("#") and isinstance(held, Unknown):
            # Only if it is a module: it may as well be a text.
            m.store.write(module_parts.ALONG, held.key, device)
            if m.read("moved", held.key) is not None:
                m.store.write("moved", held.key, device)


@hooks.replaced_in_module.answers
def replaced(m: Machine, module: Obj, new: Value) -> None:
    """An attribute of a built-in module is bound to `new`, perhaps in the place of one of its own parameters."""
    own, new = m.read(module.ident, "#device"), m.see(new)
    if own in (None, NONE) or is_module(m, new) or (isinstance(new, Tensor) and not new.role):
        return
    why = Unknown(f"u{m.fresh()}", "some of its parameters were replaced")
    if not isinstance(new, Const | Class | Func):
        m.store.write(module.ident, module_casts.DTYPE, why)
    if (
        isinstance(new, Const | Class | Func)
        or module_parts.device_of(m, new.receiver if isinstance(new, Bound) else new) == own
    ):
        return
    m.store.write(module.ident, "#device", why)


@method("Module", "to")
def _to(m: Machine, call: Call, receiver: Value) -> Value:
    devices.tell(m, call, 0)
    if call.open or "dtype" in call.kwargs or not all(devices.is_device(_placed(m, one)) for one in call.args):
        autocasts.note_cast(m, receiver)
        module_casts.cast_by(m, call, receiver, module_casts.asked(m, call))
    if (asked := call.kwargs.get("memory_format")) is not None or call.open:
        module_layouts.lay(m, receiver, some(m, "a memory format") if asked is None else m.see(asked))
    device = devices.target(m, call)
    if device is not None:
        _tell_move(m, call, receiver, device)
        move(m, receiver, device)
    return receiver


def _placed(m: Machine, given: Value) -> Value:
    """The device that an argument of `.to(…)` names, or itself where it may be something else."""
    given = m.see(given)
    texts = all(isinstance(leaf, Device | Const) for _, leaf in leaves(given))
    return devices.as_device(m, given) if texts else given


def _tell_move(m: Machine, call: Call, module: Value, device: Value) -> None:
    """Tell of a move of a module that surely has parameters."""
    if isinstance(module, Obj) and module_parts.has_parameters(m, module, set()):
        gpus.note(m, call.node, device)
        m.emit(ModuleMove, call.node, module=module, device=device)


@method("Module", "to_empty")
def _to_empty(m: Machine, call: Call, receiver: Value) -> Value:
    devices.tell(m, call)
    inferred.renewed(m, receiver)
    move(m, receiver, devices.as_device(m, call.arg(None, "device", NONE) or NONE))
    return receiver


for _name in devices.MOVES:

    def _mover(name: str) -> None:
        @method("Module", name)
        def moved(m: Machine, call: Call, receiver: Value) -> Value:
            device = devices.move_target(m, call, name)
            _tell_move(m, call, receiver, device)
            move(m, receiver, device)
            return receiver

        @method("Unknown", name)
        @method("Sym", name)
        def moved_unknown(m: Machine, call: Call, receiver: Value) -> Value:
            return moved_to(m, call, receiver, devices.move_target(m, call, name))

    _mover(_name)


def moved_to(m: Machine, call: Call, receiver: Value, device: Value) -> Value:
    """`.to(device)` on something unknown: a module moves in place, a tensor gives another one."""
    if not isinstance(receiver, Unknown | Sym):
        return receiver
    if call.discarded:
        m.store.write("moved", receiver.key, device)
        return receiver
    made = Unknown(f"u{m.fresh()}", receiver.reason if isinstance(receiver, Unknown) else receiver.origin)
    m.store.write("moved", made.key, device)
    m.store.write("moved", receiver.key, Unknown(f"u{m.fresh()}", "a module is moved in place, a tensor is not"))
    return made


@method("Unknown", "to")
def _unknown_to(m: Machine, call: Call, receiver: Value) -> Value:
    device = devices.target(m, call)
    return same_place(m, call, receiver) if device is None else moved_to(m, call, receiver, device)


@method("Unknown", "half", "float", "double", "bfloat16", "contiguous", "clone", "detach", "requires_grad_")
def same_place(m: Machine, call: Call, receiver: Value) -> Value:
    """Something unknown that stays where it is."""
    assert isinstance(receiver, Unknown)
    made = Unknown(f"u{m.fresh()}", receiver.reason)
    for table in ("moved", module_parts.ALONG):
        place = m.read(table, receiver.key)
        if place is not None:
            m.store.write(table, made.key, place)
    return made


@method("Unknown", "eval", "train")
def _unknown_eval(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@attribute("Unknown", "device")
def _unknown_device(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Unknown)
    return module_parts.moved(m, value) or Unknown(f"{value.key}.device", f"the device of {access.describe(value)}")


# ---------------------------------------------------------------- loading


@method("Module", "load_state_dict")
def _load_state_dict(m: Machine, call: Call, receiver: Value) -> Value:
    """With `assign=True` the parameters and buffers become those of the dict, wherever they live."""
    weight_names.tell(m, call, receiver, weight_names.names_of(m, receiver))
    lazy_layers.ran(m, receiver)
    given, assign = m.see(call.arg(0, "state_dict") or NONE), m.see(call.arg(2, "assign", FALSE) or FALSE)
    if call.open or assign != FALSE:
        inferred.renewed(m, receiver)
        place = m.read("moved", given.key) if isinstance(given, Unknown) else None
        whole = assign == TRUE and m.see(call.arg(1, "strict", TRUE) or TRUE) == TRUE and not call.open
        if place is None or not whole or not isinstance(receiver, Obj) or _loads_by_itself(m, receiver):
            m.forget(receiver, "load_state_dict(assign=True) replaced its parameters")
        else:
            move(m, receiver, place, loaded=True)
            module_casts.cast(m, receiver, Unknown(f"u{m.fresh()}", "the dtypes of a state dict"))
    return m.unknown(call.node, "the names that did not match")


def _loads_by_itself(m: Machine, module: Obj) -> bool:
    own = ("load_state_dict", "_load_from_state_dict")
    return isinstance(module.cls, Class) and any(access.class_member(m, module.cls, name) is not None for name in own)
