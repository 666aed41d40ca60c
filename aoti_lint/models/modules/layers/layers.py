"""Built-in layers of `torch.nn`: the sizes they are made with, and their weights."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.sizes import size
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Obj, Ref, Unknown, Value

_RANKS = ("1d", "2d", "3d")
CONVOLUTIONS = tuple(f"Conv{transposed}{rank}" for transposed in ("", "Transpose") for rank in _RANKS)
RECURRENT = ("RNN", "LSTM", "GRU")
PADDINGS = tuple(f"{kind}Pad{rank}" for kind in ("Zero", "Constant", "Reflection", "Replication") for rank in _RANKS)
CELLS = ("RNNCell", "LSTMCell", "GRUCell")
_CONVOLUTION = ("in_channels", "out_channels", "kernel_size", "stride", "padding")
_POOL = ("kernel_size", "stride", "padding")
_RECURRENT = ("input_size", "hidden_size", "num_layers")
_NORM = ("num_features", "eps", "momentum", "affine", "track_running_stats")
PARAMETERS: dict[str, tuple[str, ...]] = {
    "Linear": ("in_features", "out_features", "bias"),
    "Bilinear": ("in1_features", "in2_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "EmbeddingBag": ("num_embeddings", "embedding_dim"),
    "MultiheadAttention": ("embed_dim", "num_heads"),
    "TransformerEncoderLayer": ("d_model", "nhead"),
    "LayerNorm": ("normalized_shape", "eps", "elementwise_affine", "bias"),
    "RMSNorm": ("normalized_shape", "eps", "elementwise_affine"),
    "GroupNorm": ("num_groups", "num_channels", "eps", "affine"),
    "Flatten": ("start_dim", "end_dim"),
    "Unflatten": ("dim", "unflattened_size"),
    "PixelShuffle": ("upscale_factor",),
    "GLU": ("dim",),
    **dict.fromkeys(("Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d"), ("size", "scale_factor")),
    **{f"Conv{rank}": (*_CONVOLUTION, "dilation", "groups", "bias") for rank in _RANKS},
    **{f"ConvTranspose{rank}": (*_CONVOLUTION, "output_padding", "groups", "bias", "dilation") for rank in _RANKS},
    **dict.fromkeys(CELLS, ("input_size", "hidden_size")),
    "RNN": (*_RECURRENT, "nonlinearity", "bias", "batch_first", "dropout", "bidirectional"),
    "LSTM": (*_RECURRENT, "bias", "batch_first", "dropout", "bidirectional", "proj_size"),
    "GRU": (*_RECURRENT, "bias", "batch_first", "dropout", "bidirectional"),
    **{f"BatchNorm{rank}": _NORM for rank in _RANKS},
    **{f"MaxPool{rank}": (*_POOL, "dilation", "return_indices", "ceil_mode") for rank in _RANKS},
    **{f"AvgPool{rank}": (*_POOL, "ceil_mode") for rank in _RANKS},
    **{f"AdaptiveAvgPool{rank}": ("output_size",) for rank in _RANKS},
    **{f"AdaptiveMaxPool{rank}": ("output_size", "return_indices") for rank in _RANKS},
    **dict.fromkeys(PADDINGS, ("padding",)),
}
"""What layers are made with, in the order of their parameters, as far as sizes hang on it.

Source: `torch/nn/modules/*.py` of release 2.13.0.
"""
WEIGHED = frozenset({
    "Linear", "Bilinear", "Embedding", "EmbeddingBag", "LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell",
    "LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "PReLU",
    "MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer",
})  # fmt: skip
"""Layers that have weights, which have to be where their inputs are (run on torch 2.13)."""
LATE = frozenset({"Linear", *CELLS, "MultiheadAttention", "TransformerEncoderLayer"})
"""Layers whose input must have the dtype of their weights, for which an export does not look; a call does (2.13)."""
OF_ONE_DTYPE = LATE | {"Bilinear", "LSTM", "GRU", "RNN", "PReLU", "Conv1d", "Conv2d", "Conv3d"}
"""Those and the layers for which an export does look."""
NORMS = frozenset({"LayerNorm", "GroupNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d"})
"""Layers whose kernels on the CPU take the dtype of their weights, and halves where these are float32 (run on 2.13).

So do those of convolutions that an export takes with any: without a bias, and transposed ones; they take no halves."""
INDEXED, INDICES = frozenset({"Embedding", "EmbeddingBag"}), ("torch.int64", "torch.int32")
"""Layers that take indices, and the dtypes these may have."""
ATTRIBUTES = frozenset({
    "in_features", "out_features", "in1_features", "in2_features", "num_embeddings", "embedding_dim", "embed_dim",
    "num_heads", "d_model", "nhead", "in_channels", "out_channels", "kernel_size", "input_size", "hidden_size",
    "num_layers", "num_features",
})  # fmt: skip
"""Those of them that a layer keeps as attributes as they were given."""
WEIGHTS = {"Linear": (1, 0), "Embedding": (0, 1), "EmbeddingBag": (0, 1)}
"""Which of these are the sizes of the weight."""


def layer_of(m: Machine, value: Value) -> str:
    """The name of the class of a built-in layer; empty for others."""
    known = isinstance(value, Obj) and value.kind == "module" and isinstance(value.cls, Ref)
    return value.cls.name.rsplit(".", 1)[-1] if known and isinstance(value, Obj) and isinstance(value.cls, Ref) else ""


def _size(name: str) -> None:
    @attribute("Module", name)
    def model(m: Machine, node: nodes.Node, value: Value) -> Value:
        assert isinstance(value, Obj)
        names = PARAMETERS.get(layer_of(m, value), ())
        held = m.read(value.ident, f"#arg{names.index(name)}") if name in names else None
        return Unknown(f"o{value.ident}.{name}", f"the attribute {name} of a module") if held is None else held


for _name in ATTRIBUTES:
    _size(_name)


@attribute("Module", "weight", "bias")
def _weight(m: Machine, node: nodes.Node, value: Value) -> Value:
    """A parameter of a built-in layer, where all its parameters are."""
    assert isinstance(value, Obj)
    layer = layer_of(m, value)
    place = m.read(value.ident, "#device")
    if not layer or place is None or place == NONE:
        return Unknown(f"o{value.ident}.weight", "a parameter of a module")
    order = WEIGHTS.get(layer, ()) if isinstance(node, nodes.Attr) and node.name == "weight" else ()
    sizes = [m.read(value.ident, f"#arg{i}") for i in order]
    shape = tuple(size(m, s) for s in sizes if s is not None)
    name = node.name if isinstance(node, nodes.Attr) else "weight"
    known = bool(shape) and len(shape) == len(order)
    dtype = m.see(m.read(value.ident, "#dtype") or NONE)
    own = dtype.name if isinstance(dtype, Ref) else None
    strides = memory.dense(shape) if known else None
    return Tensor(f"o{value.ident}.{name}", place, shape if known else None, own, role="parameter", strides=strides)
