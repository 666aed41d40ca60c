"""Methods of modules that leave it where it is: its parameters and modules are listed, taken out and added."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.calls import HOOKED
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.data import containers
from aoti_lint.language.effects import backward, compiled_hooks, exported_state
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.models.modules import module_parts
from aoti_lint.models.modules.weights import module_state
from aoti_lint.models.torch import inferred
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, TRUE, Const, Many, Obj, Tup, Unknown, Value


@method("Module", "requires_grad_", "share_memory")
def _perhaps_others(m: Machine, call: Call, receiver: Value) -> Value:
    inferred.renewed(m, receiver)
    if call.arg(0, "requires_grad", TRUE) != TRUE:
        backward.freeze(m)
    return receiver


@method("Module", "zero_grad")
def _returns_itself(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@method("Module", "register_forward_hook", "register_forward_pre_hook")
def _hook_forward(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        exported_state.hooked(m, call.node, receiver)
        compiled_hooks.hooked(m, call.node, receiver)
    return m.unknown(call.node, "the handle of a hook")


@method("Module", "get_extra_state", "extra_repr")
def _quiet(m: Machine, call: Call, receiver: Value) -> Value:
    return m.unknown(call.node, "a method of a module that was not followed")


@method("Module", "register_full_backward_hook", "register_full_backward_pre_hook")
def _hook_backward(m: Machine, call: Call, receiver: Value) -> Value:
    """A hook whose handle nobody keeps stays."""
    if isinstance(receiver, Obj):
        compiled_hooks.hooked(m, call.node, receiver)
    if isinstance(receiver, Obj) and call.discarded:
        m.store.write(receiver.ident, HOOKED, TRUE)
    return m.unknown(call.node, "the handle of a hook")


@method("Module", "parameters", "buffers")
def _parameters(m: Machine, call: Call, receiver: Value) -> Value:
    device = module_parts.device_of(m, receiver) or Unknown(f"u{m.fresh()}", "the module has no parameters that we saw")
    made = m.new("list")
    m.store.write(made.ident, "#items", Many(Tensor(f"t{m.fresh()}", device, role="parameter")))
    return made


def _walk(name: str) -> None:
    @method("Module", name)
    def model(m: Machine, call: Call, receiver: Value) -> Value:
        """The modules inside, where all of them are known; code that walks over unknown ones may move any."""
        inside = (
            module_parts.descendants(m, receiver) if name.endswith("modules") else module_parts.children(m, receiver)
        )
        made = m.new("list")
        if inside is None:
            m.forget(receiver, "the modules inside it were walked over")
        elif name.startswith("named"):
            inside = [Tup((_name_within(m, receiver, one, name), one)) for one in inside]
        containers.set_items(m, made, inside)
        return made


for _name in ("children", "modules", "named_children", "named_modules"):
    _walk(_name)


def _name_within(m: Machine, module: Value, inside: Value, walk: str) -> Value:
    """What a walk calls a module that is held by an attribute of the module it starts at."""
    if walk == "named_children" and isinstance(module, Obj):
        names = [slot for slot, held in m.store.slots(module.ident) if slot[:1] != "#" and m.see(held) == inside]
        if names:
            return Const(names[0])
    return Unknown(f"u{m.fresh()}", "the name of a module")


@method("Module", "get_submodule")
def _submodule(m: Machine, call: Call, receiver: Value) -> Value:
    name = m.see(call.arg(0, "target") or NONE)
    value = receiver
    for part in str(name.value).split(".") if isinstance(name, Const) and name.value else []:
        value = access.get_attr(m, call.node, value, part)
    if isinstance(name, Const) and is_module(m, m.see(value)):
        return value
    m.forget(receiver, "a module inside it was taken out")
    return m.unknown(call.node, "a module inside a module")


@method("Module", "add_module", "register_module")
def _add_module(m: Machine, call: Call, receiver: Value) -> Value:
    name, module = call.arg(0, "name"), call.arg(1, "module") or NONE
    if isinstance(name, Const) and isinstance(name.value, str) and isinstance(receiver, Obj):
        if not module_state.put_item(m, receiver, name.value, module):
            m.store.write(receiver.ident, name.value, module)
    elif isinstance(receiver, Obj):
        m.store.write(receiver.ident, "#open", TRUE)
    return NONE


@method("Module", "append")
def _append(m: Machine, call: Call, receiver: Value) -> Value:
    return _with_items(m, call, receiver, [call.arg(0, "module") or NONE])


@method("Module", "extend")
def _extend(m: Machine, call: Call, receiver: Value) -> Value:
    given = call.arg(0, "modules") or call.arg(None, "sequential") or NONE
    return _with_items(m, call, receiver, containers.items_of(m, given))


@method("Module", "insert")
def _insert(m: Machine, call: Call, receiver: Value) -> Value:
    return _with_items(m, call, receiver, [call.arg(1, "module") or NONE], m.see(call.arg(0, "index") or NONE))


def _with_items(m: Machine, call: Call, receiver: Value, more: list[Value] | None, index: Value | None = None) -> Value:
    """A container of modules gets more of them: at its end, or before one."""
    assert isinstance(receiver, Obj)
    items = containers.items_of(m, receiver)
    if items is None:
        return receiver
    place = len(items) if index is None else index.value if isinstance(index, Const) else None
    if more is None or call.open or not isinstance(place, int):
        m.store.write(receiver.ident, "#items", m.unknown(call.node, "the modules of a container are not all known"))
    else:
        containers.set_items(m, receiver, [*items[:place], *more, *items[place:]])
    return receiver


@method("Module", "__getitem__")
def _getitem(m: Machine, call: Call, receiver: Value) -> Value:
    found = containers.lookup(m, receiver, call.args[0])
    return found if found is not None else m.unknown(call.node, "an item of a container of modules")
