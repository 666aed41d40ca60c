"""The layers that look into their mask: is it the one under which no step sees a later one?

Where `is_causal` says nothing, `nn.TransformerEncoder` and `nn.TransformerDecoder` compare all values of a mask with
two dimensions (`torch/nn/modules/transformer.py`, `_detect_is_causal_mask`, of release 2.13.0).
"""

from __future__ import annotations

from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE

_MASKS = {
    "TransformerEncoder": ((1, "mask", 3, "is_causal"),),
    "TransformerDecoder": ((2, "tgt_mask", 6, "tgt_is_causal"),),
    "Transformer": ((2, "src_mask", 8, "src_is_causal"), (3, "tgt_mask", 9, "tgt_is_causal")),
}
"""By the class: where each mask stands among the arguments, and where what says that it is causal."""


def note(m: Machine, call: Call, name: str) -> None:
    """A layer of torch of this class is called in what is traced."""
    if (watch := m.root.watch) is None:
        return
    for place, mask, beside, causal in _MASKS.get(name, ()):
        given = m.see(call.arg(place, mask) or NONE)
        is_matrix = isinstance(given, Tensor) and given.shape is not None and len(given.shape) == 2
        if is_matrix and m.see(call.arg(beside, causal) or NONE) == NONE:
            watch.looks_into(m, call.node, causal)
