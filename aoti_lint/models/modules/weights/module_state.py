"""What a module holds under names of its own: buffers and parameters, and others that are loaded in their place."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import ABSENT, FALSE, NONE, TRUE, Const, Obj, Unknown, Value

BUFFER = "#buffer:"
"""How the slot begins that says of a name that it is a buffer's: whether the buffer is part of the `state_dict`."""


def unsettle(m: Machine, module: Obj, reason: str) -> None:
    """Nobody knows any more where the tensors are that a module holds."""
    for slot, held in list(m.store.slots(module.ident)):
        if slot[0] != "#":
            m.store.write(module.ident, slot, lift(m, held, lambda one: _anywhere(m, one, reason)))


def _anywhere(m: Machine, value: Value, reason: str) -> Value:
    return replace(value, device=Unknown(f"u{m.fresh()}", reason)) if isinstance(value, Tensor) else value


# ---------------------------------------------------------------- names


@method("Module", "register_buffer")
def _register_buffer(m: Machine, call: Call, receiver: Value) -> Value:
    name, tensor = m.see(call.arg(0, "name") or NONE), m.see(call.arg(1, "tensor") or NONE)
    if not isinstance(receiver, Obj):
        return NONE
    if isinstance(name, Const) and isinstance(name.value, str):
        m.store.write(receiver.ident, f"{BUFFER}{name.value}", m.see(call.arg(2, "persistent", TRUE) or TRUE))
        m.store.write(receiver.ident, name.value, assigned(m, receiver, name.value, tensor))
    else:
        unsettle(m, receiver, "a buffer of a name that is not known was registered")
        m.store.write(receiver.ident, "#open", TRUE)
    return NONE


@method("Module", "register_parameter")
def _register_parameter(m: Machine, call: Call, receiver: Value) -> Value:
    name, given = m.see(call.arg(0, "name") or NONE), m.see(call.arg(1, "param") or NONE)
    if isinstance(name, Const) and isinstance(name.value, str) and isinstance(receiver, Obj):
        m.store.write(receiver.ident, name.value, given)
    elif isinstance(receiver, Obj):
        m.store.write(receiver.ident, "#open", TRUE)
    return NONE


def put_item(m: Machine, module: Obj, name: str, new: Value) -> bool:
    """Whether a name is that of an item of a container of modules, such as "0", which is `new` from then on."""
    items = containers.items_of(m, module) if name.isdecimal() else None
    if items is None or int(name) > len(items):
        return False
    containers.set_items(m, module, [*items[: int(name)], new, *items[int(name) + 1 :]])
    return True


@hooks.bound_in_module.answers
def assigned(m: Machine, module: Obj, name: str, new: Value) -> Value:
    """What a module holds after `module.name = new`: a tensor under the name of a buffer is the buffer from then on.

    `ABSENT` where it stands among the items of the module, and not under a name.
    """
    if put_item(m, module, name, new):
        return ABSENT
    if m.read(module.ident, f"{BUFFER}{name}") is None:
        return new
    return lift(m, new, lambda one: replace(one, role=one.role or "buffer") if isinstance(one, Tensor) else one)


@hooks.deleted_from_module.answers
def deleted(m: Machine, module: Obj, name: str) -> None:
    """`del module.name`: the name is a buffer's no more."""
    if m.read(module.ident, f"{BUFFER}{name}") is not None:
        m.store.write(module.ident, f"{BUFFER}{name}", ABSENT)


def stays(m: Machine, module: Obj, name: str) -> bool:
    """Whether no `state_dict` has the buffer of this name."""
    return m.read(module.ident, f"{BUFFER}{name}") == FALSE


@method("Module", "_apply")
def _apply(m: Machine, call: Call, receiver: Value) -> Value:
    m.forget(receiver, "a function was applied to its tensors")
    return receiver
