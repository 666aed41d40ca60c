"""What the layers of `torch.nn` make of the sizes of their input.

Most layers hand their settings to a function of `torch.nn.functional`, so that its model says what comes out.
Parameters, defaults and results: `torch/nn/modules/*.py` of release 2.13.0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from aoti_lint.language.classes.layer_classes import layer_name
from aoti_lint.language.data import containers
from aoti_lint.language.flow import raised
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.machine.tables import FUNCTIONS, METHODS
from aoti_lint.models.modules import module_layouts
from aoti_lint.models.modules.layers.layers import (
    CELLS,
    CONVOLUTIONS,
    INDEXED,
    OF_ONE_DTYPE,
    PADDINGS,
    PARAMETERS,
    RECURRENT,
)
from aoti_lint.models.modules.module_casts import DTYPE
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.operations.layers import per_dim
from aoti_lint.models.tensors.sizes import Shape, is_sequence, number, put, size, some
from aoti_lint.models.tensors.tensor_base import common_kept
from aoti_lint.models.torch import mixing
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, Ref, Tup, Value

_F = "torch.nn.functional."
_TAKING_PAIRS = ("1d", "2d", "3d")


@dataclass(frozen=True, slots=True)
class Layer:
    """One call of a layer: what it was made with, and what it is given."""

    m: Machine
    call: Call
    module: Obj
    x: Tensor

    @property
    def name(self) -> str:
        """The name of the class of `torch.nn`."""
        return layer_name(self.m, self.module)

    def setting(self, name: str, default: Value | None = None) -> Value:
        """What the layer was made with, or was given since; unknown where that cannot be told."""
        own = self.m.read(self.module.ident, name)
        if own is not None:
            return self.m.see(own)
        names = PARAMETERS[self.name]
        held = self.m.read(self.module.ident, f"#arg{names.index(name)}")
        if held is not None:
            return self.m.see(held)
        closed = default is not None and self.m.read(self.module.ident, "#open") is None
        return default if closed and default is not None else some(self.m, f"the setting {name} of a layer")

    def has_own(self, *names: str) -> bool:
        """Whether something was put in the place of parts of the layer."""
        return any(self.m.read(self.module.ident, name) is not None for name in names)

    def run(self, name: str, *args: Value, **kwargs: Value) -> Value:
        """What a function of `torch.nn.functional` makes of the input."""
        return FUNCTIONS[_F + name](self.m, Call(self.call.node, [self.x, *args], kwargs))

    def changed(self, shape: Shape | None, strides: memory.Strides | None = None) -> Tensor:
        """A tensor of another shape where the input is, made of all that the layer is given."""
        made = Tensor(f"t{self.m.fresh()}", self.x.device, shape, self._dtype(), strides=strides)
        if self.m.root.watch is not None:
            given = mixing.taken(self.m, [self.x, *self.call.values], together=True)
            self.m.root.watch.sources[made.key] = tuple(dict.fromkeys(one.key for one in given))
        return made

    def _dtype(self) -> str | None:
        """The dtype of what the layer gives, where that is the one of its weights."""
        own = self.m.see(self.m.read(self.module.ident, DTYPE) or NONE)
        if not isinstance(own, Ref) or self.has_own("weight") or self.m.read(self.module.ident, HANDED) is not None:
            return None
        if self.name in INDEXED:
            return own.name
        return common_kept(self.m, [self.x, replace(self.x, dtype=own.name)]) if self.name in OF_ONE_DTYPE else None

    def needs(self, dim: int, wanted: Value) -> None:
        """Dimension `dim` of the input has to be of this size."""
        if not self.x.shape or not -len(self.x.shape) <= dim < len(self.x.shape):
            return
        # Who was handed the layer may have made it another one.
        is_as_made = not self.has_own("weight") and self.m.read(self.module.ident, HANDED) is None
        if is_as_made or self.m.root.watch is not None:
            mixing.fit(self.m, self.m.see(self.x.shape[dim]), size(self.m, wanted), self.name)


Model: TypeAlias = "Callable[[Layer], Value]"
ELEMENTWISE = frozenset({
    "ReLU", "ReLU6", "LeakyReLU", "GELU", "SiLU", "Mish", "Sigmoid", "Tanh", "Softplus", "ELU", "SELU", "CELU",
    "Hardswish", "Hardtanh", "Hardsigmoid", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout",
})  # fmt: skip
"""Layers that give a tensor of the same sizes which lies as the input does. These, and how the others lie: 30 layers
with 8 kinds of strides, called and exported, on torch 2.13."""
IN_ROWS = frozenset({"Softmax", "LogSoftmax", "InstanceNorm2d"})
"""Those of the same sizes whose result lies in rows, however the input does."""


def called(m: Machine, call: Call, module: Obj, x: Tensor) -> Value | None:
    """What a layer of `torch.nn` gives for a tensor; None for a layer that is not known."""
    model = MODELS.get(layer_name(m, module))
    return None if model is None else model(Layer(m, call, module, x))


def _linear(layer: Layer) -> Value:
    layer.needs(-1, layer.setting("in_features"))
    width = size(layer.m, layer.setting("out_features"))
    shape = put(layer.x.shape, len(layer.x.shape) - 1, width) if layer.x.shape else None
    return layer.changed(shape, memory.dense(shape) if memory.in_rows(layer.x) else None)


def _same(strides: Callable[[Tensor], memory.Strides | None]) -> Model:
    """A layer that keeps the sizes; `strides` says how what it gives lies."""

    def model(layer: Layer) -> Value:
        return replace(layer.x, key=f"t{layer.m.fresh()}", role="", strides=strides(layer.x))

    return model


def _in_rows(x: Tensor) -> memory.Strides | None:
    return memory.dense(x.shape)


def _by_channels(x: Tensor) -> memory.Strides | None:
    return memory.channels_kept(x, x.shape)


def _as_rows(x: Tensor) -> memory.Strides | None:
    return x.strides if memory.in_rows(x) else None


def _norm(channels: str) -> Model:
    """A norm with a weight for each channel of dimension 1."""

    def model(layer: Layer) -> Value:
        if layer.setting("affine", TRUE) == TRUE:
            layer.needs(1, layer.setting(channels))
        if layer.name.startswith("BatchNorm") and _is_one_value(layer):
            raised.note(layer.m, layer.call.node, "ValueError")
        return _same(_by_channels)(layer)

    return model


def _is_one_value(layer: Layer) -> bool:
    """Whether a batch norm in training mode has one value for each channel (`torch.nn.functional.batch_norm`)."""
    training = layer.m.read(layer.module.ident, "#training")
    sizes = [layer.m.see(size) for size in layer.x.shape or ()]
    return training in (None, TRUE) and len(sizes) > 1 and all(size == Const(1) for size in [sizes[0], *sizes[2:]])


def _last_norm(layer: Layer) -> Value:
    """A norm over the last dimensions."""
    shape = layer.setting("normalized_shape")
    sizes = containers.items_of(layer.m, shape) if is_sequence(shape) else [shape]
    for i, one in enumerate(reversed(sizes or [])):
        layer.needs(-1 - i, one)
    return _same(_in_rows if layer.name == "LayerNorm" else _by_channels)(layer)


def _convolution(layer: Layer) -> Value:
    """The weight is as the settings say: what else was put there is not known."""
    m, count = layer.m, int(layer.name[-2])
    kernel = per_dim(m, layer.setting("kernel_size"), count, 1)
    groups, taken = number(layer.setting("groups", Const(1))), number(layer.setting("in_channels"))
    given = number(layer.setting("out_channels"))
    if kernel is None or not groups or taken is None or given is None or layer.has_own("weight"):
        return layer.changed(None)
    transposed = "Transpose" in layer.name
    channels = (taken, given // groups) if transposed else (given, taken // groups)
    shape = tuple(map(Const, (*channels, *kernel)))
    strides = module_layouts.strides(m, layer.module, shape)
    weight = Tensor(f"t{m.fresh()}", layer.x.device, shape, layer.x.dtype, strides=strides)
    rest = {"stride": Const(1), "padding": Const(0), "dilation": Const(1), "groups": Const(1)}
    if transposed:
        rest["output_padding"] = Const(0)
        if layer.call.args[1:] or layer.call.kwargs:  # the size it should give
            return layer.changed(None)
    settings = {name: layer.setting(name, default) for name, default in rest.items()}
    return layer.run(f"conv{'_transpose' if transposed else ''}{count}d", weight, **settings)


def _function(name: str, *settings: tuple[str, Value | None]) -> Model:
    """A layer that hands its settings to a function; those without a default have to be given."""

    def model(layer: Layer) -> Value:
        return layer.run(name, **{setting: layer.setting(setting, default) for setting, default in settings})

    return model


def _pool(layer: Layer) -> Value:
    kind, count = ("max", layer.name[-2:]) if layer.name.startswith("Max") else ("avg", layer.name[-2:])
    defaults: dict[str, Value | None] = {
        "kernel_size": None,
        "stride": NONE,
        "padding": Const(0),
        "ceil_mode": FALSE,
        **({"dilation": Const(1), "return_indices": FALSE} if kind == "max" else {}),
    }
    return layer.run(f"{kind}_pool{count}", **{name: layer.setting(name, value) for name, value in defaults.items()})


def _adaptive_pool(layer: Layer) -> Value:
    kind = "max" if "Max" in layer.name else "avg"
    indices = {"return_indices": layer.setting("return_indices", FALSE)} if kind == "max" else {}
    return layer.run(f"adaptive_{kind}_pool{layer.name[-2:]}", output_size=layer.setting("output_size"), **indices)


def _embedding(layer: Layer) -> Value:
    width, watch = size(layer.m, layer.setting("embedding_dim")), layer.m.root.watch
    if watch is not None and not layer.has_own("weight"):
        watch.table(layer.m, layer.call.node, layer.x, layer.setting("num_embeddings"))
    return layer.changed(None if layer.x.shape is None else (*layer.x.shape, width))


def _flatten(layer: Layer) -> Value:
    first, last = layer.setting("start_dim", Const(1)), layer.setting("end_dim", Const(-1))
    return METHODS["Tensor", "flatten"](layer.m, Call(layer.call.node, [first, last]), layer.x)


def _unflatten(layer: Layer) -> Value:
    given = [layer.setting("dim"), layer.setting("unflattened_size")]
    return METHODS["Tensor", "unflatten"](layer.m, Call(layer.call.node, given), layer.x)


def _padding(layer: Layer) -> Value:
    count = int(layer.name[-2])
    around = per_dim(layer.m, layer.setting("padding"), 2 * count, 0)
    if around is None or len(around) != 2 * count:
        return layer.changed(None)
    return layer.run("pad", Tup(tuple(map(Const, around))))


def _recurrent(layer: Layer) -> Value:
    """The output of each step, and the last state. The steps are unrolled: the program has as many as the example.

    Run on torch 2.13: `LSTM`, `GRU` and `RNN` hold the dimension of time, with and without `strict=True`.
    """
    m, shape = layer.m, layer.x.shape
    first, sides = layer.setting("batch_first", FALSE), layer.setting("bidirectional", FALSE)
    projected = layer.setting("proj_size", Const(0)) if layer.name == "LSTM" else Const(0)
    known = shape is not None and len(shape) in (2, 3) and first in (TRUE, FALSE) and sides in (TRUE, FALSE)
    width = number(layer.setting("hidden_size"))
    layer.needs(-1, layer.setting("input_size"))
    if not known or shape is None or width is None or projected != Const(0):
        return some(m, "the results of a recurrent layer")
    time = 1 if len(shape) == 3 and first == TRUE else 0
    for held in _states(layer) if len(shape) == 3 else ():
        if held.shape is not None and len(held.shape) == 3:
            mixing.fit(m, m.see(shape[1 - time]), m.see(held.shape[1]), layer.name)
    if m.root.watch is not None:
        m.root.watch.unrolled(m, m.see(shape[time]))
    both, stacked = 1 + (sides == TRUE), number(layer.setting("num_layers", Const(1)))
    out = layer.changed(put(shape, len(shape) - 1, Const(width * both)))
    batch = shape[1 - time : 2 - time] if len(shape) == 3 else ()
    last = None if stacked is None else (Const(stacked * both), *batch, Const(width))
    state = layer.changed(last)
    return Tup((out, Tup((state, layer.changed(last))) if layer.name == "LSTM" else state))


def _states(layer: Layer) -> list[Tensor]:
    """The states that a recurrent layer is given."""
    before = layer.m.see(layer.call.arg(1, "hx") or NONE)
    states = containers.items_of(layer.m, before) or [] if is_sequence(before) else [before]
    return [one for one in map(layer.m.see, states) if isinstance(one, Tensor)]


def _cell(layer: Layer) -> Value:
    """The next state."""
    m, shape, width = layer.m, layer.x.shape, layer.setting("hidden_size")
    layer.needs(-1, layer.setting("input_size"))
    for held in _states(layer):
        if held.shape and shape and len(held.shape) == len(shape):
            if len(shape) == 2:
                mixing.fit(m, m.see(shape[0]), m.see(held.shape[0]), layer.name)
            mixing.fit(m, m.see(held.shape[-1]), size(m, width), layer.name)
    state = put(shape, len(shape) - 1, size(m, width)) if shape else None
    return Tup((layer.changed(state), layer.changed(state))) if layer.name == "LSTMCell" else layer.changed(state)


def _attention(layer: Layer) -> Value:
    """The output has the shape of the query."""
    layer.needs(-1, layer.setting("embed_dim"))
    return Tup((layer.changed(layer.x.shape), some(layer.m, "the weights of attention, or None")))


MODELS: dict[str, Model] = {
    "Linear": _linear,
    "Embedding": _embedding,
    "LayerNorm": _last_norm,
    "RMSNorm": _last_norm,
    "GroupNorm": _norm("num_channels"),
    "Flatten": _flatten,
    "Unflatten": _unflatten,
    "PixelShuffle": _function("pixel_shuffle", ("upscale_factor", None)),
    "GLU": _function("glu", ("dim", Const(-1))),
    "Upsample": _function("interpolate", ("size", NONE), ("scale_factor", NONE)),
    "UpsamplingNearest2d": _function("interpolate", ("size", NONE), ("scale_factor", NONE)),
    "UpsamplingBilinear2d": _function("interpolate", ("size", NONE), ("scale_factor", NONE)),
    "MultiheadAttention": _attention,
    **dict.fromkeys(("TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoderLayer"), _same(_as_rows)),
    **dict.fromkeys(ELEMENTWISE, _same(memory.kept)),
    **dict.fromkeys(IN_ROWS, _same(_in_rows)),
    "Identity": _same(lambda x: x.strides),
    **dict.fromkeys(CONVOLUTIONS, _convolution),
    **dict.fromkeys(RECURRENT, _recurrent),
    **dict.fromkeys(CELLS, _cell),
    **{f"BatchNorm{rank}": _norm("num_features") for rank in _TAKING_PAIRS},
    **{f"{kind}Pool{rank}": _pool for kind in ("Max", "Avg") for rank in _TAKING_PAIRS},
    **{f"Adaptive{kind}Pool{rank}": _adaptive_pool for kind in ("Max", "Avg") for rank in _TAKING_PAIRS},
    **dict.fromkeys(PADDINGS, _padding),
}
"""The layers that change sizes or need some, by the name of the class in `torch.nn`."""
