"""What the constructors of `torch.nn` give: built-in layers, containers, parameters and buffers, wrappers."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.classes.modules import BASES, is_module, start_module
from aoti_lint.language.data import containers
from aoti_lint.language.effects import backward, gradients, inference
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.modules import modes, module_casts, module_parts
from aoti_lint.models.modules.layers import layers
from aoti_lint.models.torch import devices, gpus
from aoti_lint.values.call import Call
from aoti_lint.values.events.forwards import LayerMade
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Many, Obj, Ref, Tup, Unknown, Value

STATELESS = frozenset({
    "ReLU", "ReLU6", "LeakyReLU", "GELU", "SiLU", "Mish", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "Softplus",
    "ELU", "SELU", "CELU", "Hardswish", "Hardtanh", "Hardsigmoid", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d",
    "AlphaDropout", "Identity", "Flatten", "Unflatten", "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d",
    "AvgPool2d", "AvgPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "ZeroPad1d", "ZeroPad2d", "ReflectionPad1d", "ReflectionPad2d",
    "ReplicationPad2d", "ConstantPad1d", "ConstantPad2d", "PixelShuffle", "Upsample", "UpsamplingNearest2d",
    "UpsamplingBilinear2d", "Threshold", "GLU", "LogSigmoid", "Softmin", "Softmax2d", "Tanhshrink", "Hardshrink",
    "Softshrink", "CosineSimilarity", "PairwiseDistance", "Fold", "Unfold", "ChannelShuffle", "MSELoss", "L1Loss",
    "BCELoss",
})  # fmt: skip
SWITCHES: dict[str, tuple[tuple[int, str], ...]] = {
    **dict.fromkeys(("LayerNorm", "RMSNorm"), ((2, "elementwise_affine"),)),
    "GroupNorm": ((3, "affine"),),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), ((3, "affine"), (4, "track_running_stats"))),
}
"""The arguments that take a layer's weights away, by position and name."""
STACKS = frozenset({"TransformerEncoder", "TransformerDecoder"})
"""Layers that have nothing but copies of the layer that they are given."""
CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})


@hooks.make_module.answers
def make_module(m: Machine, call: Call, name: str) -> Value:
    """An instance of a built-in module class."""
    made = Obj(m.fresh(), "module", Ref(name))
    start_module(m, made)
    last = name.rsplit(".", 1)[-1]
    if last in CONTAINERS:
        m.store.write(made.ident, "#items", _container_items(m, call))
        pairs = containers.dict_pairs(m, call.args[0]) if call.args else None
        if pairs is not None:
            m.store.write(made.ident, module_parts.KEYS, Tup(tuple(key for key, _ in pairs)))
        return made
    if last not in STATELESS and name not in BASES:
        devices.tell(m, call)
        place = NONE if last in STACKS else _place(m, call, last)
        m.store.write(made.ident, "#device", place)
        m.store.write(made.ident, module_casts.DTYPE, NONE if last in STACKS else module_casts.of_new(m, call))
        inference.note(m, call.node, made)
        gpus.note(m, call.node, place)
        for value in call.values:  # layers that are given layers
            if is_module(m, m.see(value)):
                m.store.write(made.ident, f"#given{len(list(m.store.slots(made.ident)))}", value)
        weighed = place != NONE and last in layers.WEIGHED.union(layers.CONVOLUTIONS)
        if weighed and (trace := m.root.exporting) is not None:
            trace.layers.append(LayerMade(m.span(call.node), last, dict(m.root.path)))
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
        return Unknown(f"u{m.fresh()}", "the layers are not all known") if call.rest is None else Many(call.rest)
    first = m.see(call.args[0]) if call.args else None
    if first is not None and not is_module(m, first):
        pairs = containers.dict_pairs(m, first)
        items = [v for _, v in pairs] if pairs is not None else containers.items_of(m, first)
        element = containers.element_of(m, first)
        if items is None and element is not None:
            return Many(element)
        return Unknown(f"u{m.fresh()}", "the layers are not all known") if items is None else Tup(tuple(items))
    return Tup(tuple(call.args))


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
            new = Tensor(f"t{m.fresh()}", module_parts.device_of(m, value) or devices.default_device(m), role=role)
        if role == "parameter" and m.see(call.arg(1, "requires_grad", TRUE) or TRUE) == TRUE:
            gradients.want(m, new)
            inference.note(m, call.node, new)
        elif role == "parameter":
            backward.freeze(m)
        return new

    return lift(m, data, apply)


@function("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel")
def _wrapped(m: Machine, call: Call) -> Value:
    """The wrapper switches the mode of what it wraps, and is not followed."""
    modes.mode_lost(m, call.arg(0, "module") or NONE)
    return m.unknown(call.node, "a module wrapped for several devices")
