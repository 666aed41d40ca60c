"""`torch.nn.Module`: where its parameters live, how it is moved, and what calling it does.

A module is an object. A built-in one keeps its own device in the slot `#device` (None if it has no parameters) and its
children in `#items`; one of a project class has its children, parameters and buffers among its attributes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.interp import access, autocasts, calls, containers, gradients
from aoti_lint.interp.events import ModuleMove
from aoti_lint.interp.models import devices, gpus, layer_sizes, layers, mixing, modes, module_state
from aoti_lint.interp.models.registry import Call, attribute, function, method
from aoti_lint.interp.operators import lift
from aoti_lint.interp.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    Choice,
    Class,
    Const,
    Device,
    Func,
    Many,
    Obj,
    Ref,
    Sym,
    Tensor,
    Tup,
    Unknown,
    Value,
    ident,
    leaves,
)

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes

BASES = frozenset(
    {
        "torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module", "torch.jit.ScriptModule",
        "torch.fx.GraphModule", "lightning.LightningModule", "pytorch_lightning.LightningModule",
        "lightning.pytorch.LightningModule",
    }
)  # fmt: skip
STATELESS = frozenset(
    [
        "ReLU",
        "ReLU6",
        "LeakyReLU",
        "GELU",
        "SiLU",
        "Mish",
        "Sigmoid",
        "Tanh",
        "Softmax",
        "LogSoftmax",
        "Softplus",
        "ELU",
        "SELU",
        "CELU",
        "Hardswish",
        "Hardtanh",
        "Hardsigmoid",
        "Dropout",
        "Dropout1d",
        "Dropout2d",
        "Dropout3d",
        "AlphaDropout",
        "Identity",
        "Flatten",
        "Unflatten",
        "MaxPool1d",
        "MaxPool2d",
        "MaxPool3d",
        "AvgPool1d",
        "AvgPool2d",
        "AvgPool3d",
        "AdaptiveAvgPool1d",
        "AdaptiveAvgPool2d",
        "AdaptiveAvgPool3d",
        "AdaptiveMaxPool1d",
        "AdaptiveMaxPool2d",
        "AdaptiveMaxPool3d",
        "ZeroPad1d",
        "ZeroPad2d",
        "ReflectionPad1d",
        "ReflectionPad2d",
        "ReplicationPad2d",
        "ConstantPad1d",
        "ConstantPad2d",
        "PixelShuffle",
        "Upsample",
        "UpsamplingNearest2d",
        "UpsamplingBilinear2d",
        "Threshold",
        "GLU",
        "LogSigmoid",
        "Softmin",
        "Softmax2d",
        "Tanhshrink",
        "Hardshrink",
        "Softshrink",
        "CosineSimilarity",
        "PairwiseDistance",
        "Fold",
        "Unfold",
        "ChannelShuffle",
        "MSELoss",
        "L1Loss",
        "BCELoss",
    ]
)
SAME_SHAPE = frozenset(
    [
        "ReLU",
        "ReLU6",
        "LeakyReLU",
        "GELU",
        "SiLU",
        "Mish",
        "Sigmoid",
        "Tanh",
        "Softmax",
        "LogSoftmax",
        "Softplus",
        "ELU",
        "SELU",
        "CELU",
        "Hardswish",
        "Hardtanh",
        "Hardsigmoid",
        "Dropout",
        "Dropout1d",
        "Dropout2d",
        "Dropout3d",
        "AlphaDropout",
        "Identity",
        "InstanceNorm2d",
    ]
)
WEIGHED = frozenset(
    {
        "Linear", "Bilinear", "Embedding", "EmbeddingBag", "LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell",
        "LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "PReLU",
        "MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer",
    }
)  # fmt: skip
"""Layers that have weights, which have to be where their inputs are (run on torch 2.13)."""
SWITCHES: dict[str, tuple[tuple[int, str], ...]] = {
    **dict.fromkeys(("LayerNorm", "RMSNorm"), ((2, "elementwise_affine"),)),
    "GroupNorm": ((3, "affine"),),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), ((3, "affine"), (4, "track_running_stats"))),
}
"""The arguments that take a layer's weights away, by position and name."""
STACKS = frozenset({"TransformerEncoder", "TransformerDecoder"})
"""Layers that have nothing but copies of the layer that they are given."""
CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})


HARMLESS = frozenset(Ref(n) for n in BASES | {"object", "abc.ABC", "typing.Generic", "typing.Protocol"})
"""Bases that bring no parameters."""


def is_module_class(m: Machine, cls: Value | None) -> bool:
    """Whether a class is surely a `torch.nn.Module`."""
    if isinstance(cls, Ref):
        if cls.name in BASES:
            return True
        head, _, last = cls.name.rpartition(".")
        return (
            head.startswith("torch.nn")
            and not head.startswith(("torch.nn.functional", "torch.nn.utils", "torch.nn.init"))
            and (last[:1].isupper() and last not in ("Parameter", "Buffer", "UninitializedParameter"))
        )
    if isinstance(cls, Class):
        return any(is_module_class(m, base) for base in access.ancestors(m, cls)[1:] if base is not cls)
    return False


def is_module(m: Machine, value: Value) -> bool:
    return isinstance(value, Obj) and (
        value.kind == "module" or (value.kind == "instance" and is_module_class(m, value.cls))
    )


def built_in(m: Machine, cls: Value | None) -> Ref | None:
    """The class of `torch.nn` that a class is or surely derives from; None where another base may change what it is."""
    if isinstance(cls, Ref):
        return cls
    bases = [base for base in access.ancestors(m, cls) if not isinstance(base, Class)] if isinstance(cls, Class) else []
    telling = [base for base in bases if base not in HARMLESS]
    only = telling[0] if len(telling) == 1 else None
    return only if isinstance(only, Ref) and is_module_class(m, only) else None


def start_module(m: Machine, module: Obj) -> None:
    m.store.write(module.ident, "#training", TRUE)
    m.store.write(module.ident, "#device", NONE)


def make_module(m: Machine, call: Call, name: str) -> Value:
    """An instance of a built-in module class."""
    made = Obj(m.fresh(), "module", Ref(name))
    start_module(m, made)
    last = name.rsplit(".", 1)[-1]
    if last in CONTAINERS:
        m.store.write(made.ident, "#items", _container_items(m, call))
        return made
    if last not in STATELESS and name not in BASES:
        devices.tell(m, call)
        place = NONE if last in STACKS else _place(m, call, last)
        m.store.write(made.ident, "#device", place)
        gpus.note(m, call.node, place)
        for value in call.values:  # layers that are given layers
            if is_module(m, m.see(value)):
                m.store.write(made.ident, f"#given{len(list(m.store.slots(made.ident)))}", value)
    for index, value in enumerate(call.args):
        m.store.write(made.ident, f"#arg{index}", value)
    for index, parameter in enumerate(layers.PARAMETERS.get(last, ())):
        if parameter in call.kwargs:
            m.store.write(made.ident, f"#arg{index}", call.kwargs[parameter])
    if call.open:
        m.store.write(made.ident, "#open", TRUE)
    modes.keep_settings(m, call, made, last)
    return made


def _place(m: Machine, call: Call, name: str) -> Value:
    """Where the weights of a new built-in layer are; `NONE` if it is made without."""
    if call.open:
        return Unknown(f"u{m.fresh()}", "unknown arguments")
    switches = [m.see(call.arg(*one, TRUE) or TRUE) for one in SWITCHES.get(name, ())]
    if switches and all(one == FALSE for one in switches):
        return NONE
    if any(one != TRUE for one in switches):
        return Unknown(f"u{m.fresh()}", f"a {name} that may have no weights")
    given = m.see(call.kwargs.get("device", NONE))
    return devices.default_device(m) if given == NONE else devices.as_device(m, given)


def _container_items(m: Machine, call: Call) -> Value:
    if call.open:
        return Unknown(f"u{m.fresh()}", "the layers are not all known")
    first = m.see(call.args[0]) if call.args else None
    if first is not None and not is_module(m, first):
        pairs = containers.dict_pairs(m, first)
        items = [v for _, v in pairs] if pairs is not None else containers.items_of(m, first)
        element = containers.element_of(m, first)
        if items is None and element is not None:
            return Many(element)
        return Unknown(f"u{m.fresh()}", "the layers are not all known") if items is None else Tup(tuple(items))
    return Tup(tuple(call.args))


# ---------------------------------------------------------------- devices


def parts(m: Machine, module: Obj) -> list[Value]:
    """Children, parameters and buffers of a module."""
    found: list[Value] = []
    for slot, value in m.store.slots(module.ident):
        value = m.see(value)
        if slot == "#items" or slot.startswith("#given"):
            held = value.items if isinstance(value, Tup) else [value.element] if isinstance(value, Many) else [value]
            found += [m.see(h) for h in held]
        elif not slot.startswith("#") and (is_module(m, value) or (isinstance(value, Tensor) and value.role)):
            found.append(value)
    return found


def device_of(m: Machine, value: Value, seen: frozenset[int] = frozenset()) -> Value | None:
    """Where the parameters of a module, or a tensor, live. None: it has none. Unknown where any part is."""
    value = m.see(value)
    if isinstance(value, Tensor):
        return m.see(value.device)
    if isinstance(value, Unknown | Sym):
        return m.read("moved", value.key) or Unknown(f"device:{value.key}", "the device of an unknown")
    if not isinstance(value, Obj):
        return Unknown(f"device:{ident(value)}", "the device of something we do not follow")
    if value.ident in seen:
        return None
    found: list[Value] = []
    own = m.read(value.ident, "#device")
    if own is not None and own != NONE:
        found.append(own)
    for part in parts(m, value):
        inner = device_of(m, part, seen | {value.ident})
        if inner is not None:
            found.append(inner)
    # An attribute we know nothing of may be a module: what we do know speaks for it, unless we know nothing at all.
    hidden = [m.see(v) for slot, v in m.store.slots(value.ident) if not slot.startswith("#")]
    for one in hidden:
        if isinstance(one, Unknown):
            moved = m.read("moved", one.key)
            if moved is not None:
                found.append(moved)
    if not found and (any(isinstance(one, Unknown) for one in hidden) or _has_hidden_base(m, value.cls)):
        return Unknown(f"device:{ident(value)}", "a part of the module is not known")
    return devices.join_devices(found) if found else None


def _has_hidden_base(m: Machine, cls: Value | None) -> bool:
    """Whether a base outside the project, other than `torch.nn.Module`, may bring parameters."""
    if not isinstance(cls, Class):
        return False
    return any(not isinstance(b, Class) and b not in HARMLESS for b in access.ancestors(m, cls))


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
            if not loaded or not module_state.stays(m, value, slot):
                m.store.write(value.ident, slot, replace(held, device=device))
        elif not slot.startswith("#") and is_module(m, held):
            move(m, held, device, seen, loaded)
        elif not slot.startswith("#") and isinstance(held, Unknown):
            m.store.write("moved", held.key, device)


def replaced(m: Machine, module: Obj, new: Value) -> None:
    """An attribute of a built-in module is bound to `new`, perhaps in the place of one of its own parameters."""
    own, new = m.read(module.ident, "#device"), m.see(new)
    if own in (None, NONE) or is_module(m, new) or (isinstance(new, Tensor) and not new.role):
        return
    if isinstance(new, Const | Class | Func) or device_of(m, new.receiver if isinstance(new, Bound) else new) == own:
        return
    m.store.write(module.ident, "#device", Unknown(f"u{m.fresh()}", "some of its parameters were replaced"))


@method("Module", "to")
def _to(m: Machine, call: Call, receiver: Value) -> Value:
    devices.tell(m, call, 0)
    if call.open or "dtype" in call.kwargs or not all(devices.is_device(_placed(m, one)) for one in call.args):
        autocasts.note_cast(m, receiver)
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
    if isinstance(module, Obj) and has_parameters(m, module, set()):
        gpus.note(m, call.node, device)
        m.emit(ModuleMove, call.node, module=module, device=device)


def has_parameters(m: Machine, module: Obj, seen: set[int]) -> bool:
    """Whether a module surely has parameters, itself or in a module inside it that is not among those `seen`."""
    if module.ident in seen:
        return False
    seen.add(module.ident)
    if isinstance(module.cls, Ref) and module.cls.name.rsplit(".", 1)[-1] in WEIGHED.union(layers.CONVOLUTIONS):
        return isinstance(m.read(module.ident, "#device"), Device | Choice)
    return any(
        part.role == "parameter"
        if isinstance(part, Tensor)
        else isinstance(part, Obj) and has_parameters(m, part, seen)
        for part in parts(m, module)
    )


def has_weights(m: Machine, module: Obj) -> bool:
    """Whether a module surely has parameters or buffers."""
    own = any(isinstance(part, Tensor) for part in parts(m, module))
    return own or has_parameters(m, module, set())


def held(m: Machine, model: Value) -> frozenset[str] | None:
    """What a module surely has of `parameter` and `buffer`; None where it is not known whether it has any."""
    if not isinstance(model, Obj) or not is_module(m, model):
        return None
    found = {part.role for part in parts(m, model) if isinstance(part, Tensor)}
    found |= {"parameter"} if has_parameters(m, model, set()) else set()
    return None if not found and device_of(m, model) is not None else frozenset(found)


@method("Module", "to_empty")
def _to_empty(m: Machine, call: Call, receiver: Value) -> Value:
    devices.tell(m, call)
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
        def moved_unknown(m: Machine, call: Call, receiver: Value) -> Value:
            return moved_to(m, call, receiver, devices.move_target(m, call, name))

        @method("Sym", name)
        def moved_symbol(m: Machine, call: Call, receiver: Value) -> Value:
            return moved_to(m, call, receiver, devices.move_target(m, call, name))

    _mover(_name)


def moved_to(m: Machine, call: Call, receiver: Value, device: Value) -> Value:
    """`.to(device)` on something unknown: a module moves in place, a tensor gives another one."""
    if not isinstance(receiver, Unknown | Sym):
        return receiver
    if call.discarded:
        m.store.write("moved", receiver.key, device)
        return receiver
    made = Unknown(f"u{m.fresh()}", "an unknown that was moved")
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
    place = m.read("moved", receiver.key)
    if place is not None:
        m.store.write("moved", made.key, place)
    return made


@method("Unknown", "eval", "train")
def _unknown_eval(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@attribute("Unknown", "device")
def _unknown_device(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Unknown)
    return m.read("moved", value.key) or Unknown(f"{value.key}.device", "the device of an unknown")


# ---------------------------------------------------------------- state


@method("Module", "half", "double", "bfloat16", "type")
def _cast(m: Machine, call: Call, receiver: Value) -> Value:
    autocasts.note_cast(m, receiver)
    return receiver


@method("Module", "float", "requires_grad_", "share_memory", "zero_grad")
def _returns_itself(m: Machine, call: Call, receiver: Value) -> Value:
    return receiver


@method("Module", "register_forward_hook", "register_forward_pre_hook", "get_extra_state", "extra_repr")
def _quiet(m: Machine, call: Call, receiver: Value) -> Value:
    return m.unknown(call.node, "a method of a module that was not followed")


@method("Module", "parameters", "buffers")
def _parameters(m: Machine, call: Call, receiver: Value) -> Value:
    device = device_of(m, receiver) or Unknown(f"u{m.fresh()}", "the module has no parameters that we saw")
    made = m.new("list")
    m.store.write(made.ident, "#items", Many(Tensor(f"t{m.fresh()}", device, role="parameter")))
    return made


@method("Module", "named_parameters", "named_buffers")
def _named_parameters(m: Machine, call: Call, receiver: Value) -> Value:
    device = device_of(m, receiver) or Unknown(f"u{m.fresh()}", "the module has no parameters that we saw")
    made = m.new("list")
    name = Unknown(f"u{m.fresh()}", "the name of a parameter")
    m.store.write(made.ident, "#items", Many(Tup((name, Tensor(f"t{m.fresh()}", device, role="parameter")))))
    return made


def _walk(name: str) -> None:
    @method("Module", name)
    def model(m: Machine, call: Call, receiver: Value) -> Value:
        """The modules inside, where all of them are known; code that walks over unknown ones may move any."""
        inside = descendants(m, receiver) if name.endswith("modules") else children(m, receiver)
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


def children(m: Machine, module: Value) -> list[Value] | None:
    """The children of a module; None if there may be others."""
    if not isinstance(module, Obj) or any(
        isinstance(m.see(v), Unknown) for slot, v in m.store.slots(module.ident) if slot == "#items" or slot[0] != "#"
    ):
        return None
    return [p for p in parts(m, module) if is_module(m, p)]


def descendants(m: Machine, module: Value, depth: int = 0) -> list[Value] | None:
    """A module and all modules inside it, in order; None if there may be others."""
    inside = children(m, module)
    if inside is None or depth > 20:
        return None
    found = [module]
    for one in inside:
        deeper = descendants(m, one, depth + 1)
        if deeper is None:
            return None
        found += deeper
    return found


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
        m.store.write(receiver.ident, name.value, module)
    return NONE


@method("Module", "append", "insert", "extend")
def _append(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    items = containers.items_of(m, receiver)
    last = call.args[-1] if call.args else NONE
    if items is not None:
        more = containers.items_of(m, last)
        containers.set_items(m, receiver, [*items, *more] if more is not None else [*items, last])
    return receiver


@method("Module", "__getitem__")
def _getitem(m: Machine, call: Call, receiver: Value) -> Value:
    found = containers.lookup(m, receiver, call.args[0])
    return found if found is not None else m.unknown(call.node, "an item of a container of modules")


@method("Module", "__call__")
def _call(m: Machine, call: Call, receiver: Value) -> Value:
    """Calling a module runs its `forward`."""
    assert isinstance(receiver, Obj)
    own = m.read(receiver.ident, "forward")
    if own is not None:
        return calls.call(m, call, own)
    forward = access.class_member(m, receiver.cls, "forward") if isinstance(receiver.cls, Class) else None
    if forward is not None and isinstance(forward[0], Func):
        return calls.call(m, call, Bound(receiver, "forward", forward[0]))
    cls = built_in(m, receiver.cls)
    if cls is None or forward is not None:
        return m.unknown(call.node, "the forward of a class outside the project")
    modes.note_layer(m, call, receiver)
    made = _layer(m, call, receiver, cls)
    if m.watch is not None and isinstance(made, Tensor):
        m.watch.sources.setdefault(made.key, tuple(one.key for one in map(m.see, call.args) if isinstance(one, Tensor)))
    return made


def _layer(m: Machine, call: Call, receiver: Obj, cls: Ref) -> Value:
    """What a module gives whose `forward` is that of a class outside the project."""
    last = cls.name.rsplit(".", 1)[-1]
    if cls.name in BASES:
        return m.unknown(call.node, f"what a {last} returns")
    if last == "Sequential":
        return _in_sequence(m, call, receiver)
    return lift(m, call.args[0] if call.args else NONE, lambda given: _layer_of(m, call, receiver, last, given))


def _in_sequence(m: Machine, call: Call, receiver: Obj) -> Value:
    """What the layers of a `Sequential` make of its input, one after the other."""
    inside = containers.items_of(m, receiver)
    value = call.args[0] if call.args else m.unknown(call.node, "an input that is not given by position")
    if inside is None:
        known = m.see(value)
        device = known.device if isinstance(known, Tensor) else None
        return m.unknown(call.node, "unknown layers") if device is None else Tensor(f"t{m.fresh()}", device)
    for layer in inside:
        value = calls.call(m, Call(call.node, [value]), layer)
    return value


def _layer_of(m: Machine, call: Call, receiver: Obj, last: str, given: Value) -> Value:
    """What a built-in layer of the class `last` makes of its first argument."""
    if last in WEIGHED:
        inputs = [given, *call.values[1:]] if call.args else list(call.values)
        mixing.note(m, mixing.taken(m, inputs, together=True), receiver, last.lower())
    if isinstance(given, Tensor):
        made = layer_sizes.called(m, call, receiver, given)
        if made is not None:
            return made
        if last in SAME_SHAPE:
            return replace(given, key=f"t{m.fresh()}", role="")
        return Tensor(f"t{m.fresh()}", given.device)
    return m.unknown(call.node, f"what torch.nn.{last} returns")


# ---------------------------------------------------------------- parameters


@function("torch.nn.Parameter", "torch.nn.parameter.Parameter")
def _parameter(m: Machine, call: Call) -> Value:
    return _with_role(m, call, "parameter")


@function("torch.nn.Buffer", "torch.nn.parameter.Buffer")
def _buffer(m: Machine, call: Call) -> Value:
    return _with_role(m, call, "buffer")


def _with_role(m: Machine, call: Call, role: str) -> Value:
    data = call.arg(0, "data", NONE) or NONE

    def apply(value: Value) -> Value:
        if isinstance(value, Tensor):
            new = replace(value, key=f"t{m.fresh()}", role=role)
        else:
            new = Tensor(f"t{m.fresh()}", device_of(m, value) or devices.default_device(m), role=role)
        if role == "parameter":
            gradients.want(m, new)
        return new

    return lift(m, data, apply)


@function("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel")
def _wrapped(m: Machine, call: Call) -> Value:
    """The wrapper switches the mode of what it wraps, and is not followed."""
    modes.mode_lost(m, call.arg(0, "module") or NONE)
    return m.unknown(call.node, "a module wrapped for several devices")
