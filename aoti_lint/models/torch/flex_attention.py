"""`flex_attention`: on the CPU it takes no tensor that wants a gradient.

Release 2.13.0, `nn/attention/flex_attention.py`:2075; run on torch 2.13.
"""

from __future__ import annotations

from aoti_lint.language.effects import backward, gradients
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.torch import control_flow
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, Value


@function("torch.nn.attention.flex_attention.flex_attention")
def _flex_attention(m: Machine, call: Call) -> Value:
    given = [m.see(call.arg(i, name) or NONE) for i, name in enumerate(("query", "key", "value"))]
    followed = m.read(*gradients.CELL) != FALSE and m.read(*backward.FROZEN) is None
    wanted = any(isinstance(one, Tensor) and backward.through(m, one) is not None for one in given)
    on_cpu = isinstance(given[0], Tensor) and given[0].device in (Device("cpu"), Device("cpu", 0))
    if followed and wanted and on_cpu:
        control_flow.refuse(m, call.node, "flex_attention", "gradient")
    return m.unknown(call.node, "what flex_attention gives")
