"""Built-in layers of `torch.nn`: the sizes they are made with, and their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.interp.models.registry import attribute
from aoti_lint.interp.models.sizes import size
from aoti_lint.interp.values import NONE, Obj, Ref, Tensor, Unknown, Value
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

_CONVOLUTION = ("in_channels", "out_channels", "kernel_size")
_RECURRENT = ("input_size", "hidden_size", "num_layers")
PARAMETERS: dict[str, tuple[str, ...]] = {
    "Linear": ("in_features", "out_features"),
    "Bilinear": ("in1_features", "in2_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "EmbeddingBag": ("num_embeddings", "embedding_dim"),
    "MultiheadAttention": ("embed_dim", "num_heads"),
    "TransformerEncoderLayer": ("d_model", "nhead"),
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d"), _CONVOLUTION),
    **dict.fromkeys(("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"), _RECURRENT),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), ("num_features",)),
}
"""The sizes that layers are made with and keep as attributes, in the order of their parameters."""
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


for _name in {n for names in PARAMETERS.values() for n in names}:
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
    return Tensor(f"o{value.ident}.{name}", place, shape if known else None, role="parameter")
