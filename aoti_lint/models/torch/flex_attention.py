"""`flex_attention`: the functions and the mask that it takes, and no tensor on the CPU that wants a gradient.

Release 2.13.0, `nn/attention/flex_attention.py`:2075 and 2371; run on torch 2.13, called and compiled.
"""

from __future__ import annotations

from aoti_lint.language.effects import backward, gradients
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.tensors.sizes import number
from aoti_lint.models.torch import control_flow
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, Obj, Ref, Value

MASK = "torch.nn.attention.flex_attention.BlockMask"
_SCORED, _MASKED = 5, 4
"""How many arguments `score_mod` and `mask_mod` are called with."""


@function("torch.nn.attention.flex_attention.create_block_mask")
def _block_mask(m: Machine, call: Call) -> Value:
    function = m.see(call.arg(0, "mask_mod") or NONE)
    if control_flow.is_judged(m):
        control_flow.is_called_otherwise(m, call.node, "create_block_mask", function, _MASKED)
    made = opaque(m, MASK)
    for at, name in ((3, "Q_LEN"), (4, "KV_LEN")):
        m.store.write(made.ident, name, call.arg(at, name) or NONE)
    return made


def _check_mask(m: Machine, call: Call, query: Value, key: Value) -> None:
    """The mask is for as many queries and keys as there are."""
    mask = m.see(call.arg(4, "block_mask") or NONE)
    if not isinstance(mask, Obj) or mask.cls != Ref(MASK):
        return
    made = [number(m.see(slot(m, mask, name))) for name in ("Q_LEN", "KV_LEN")]
    there = [number(m.see(one.shape[-2])) if isinstance(one, Tensor) and one.shape and len(one.shape) > 1 else None
             for one in (query, key)]  # fmt: skip
    for what, wanted, given in zip(("queries", "keys"), made, there, strict=True):
        if wanted is not None and given is not None and wanted != given:
            control_flow.refuse(m, call.node, "flex_attention", "mask", f"for {wanted} {what}, and there are {given}")
            return


@function("torch.nn.attention.flex_attention.flex_attention")
def _flex_attention(m: Machine, call: Call) -> Value:
    given = [m.see(call.arg(i, name) or NONE) for i, name in enumerate(("query", "key", "value"))]
    scored = m.see(call.arg(3, "score_mod") or NONE)
    if control_flow.is_judged(m):
        if scored != NONE:
            control_flow.is_called_otherwise(m, call.node, "flex_attention", scored, _SCORED)
        _check_mask(m, call, given[0], given[1])
    followed = m.read(*gradients.CELL) != FALSE and m.read(*backward.FROZEN) is None
    wanted = any(isinstance(one, Tensor) and backward.through(m, one) is not None for one in given)
    on_cpu = isinstance(given[0], Tensor) and given[0].device in (Device("cpu"), Device("cpu", 0))
    if followed and wanted and on_cpu:
        control_flow.refuse(m, call.node, "flex_attention", "gradient")
    return m.unknown(call.node, "what flex_attention gives")
