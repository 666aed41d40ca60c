"""`torch.onnx.export(…, dynamo=True)`: inputs and `dynamic_shapes` mean what they mean to `torch.export.export`.

Release 2.13.0, `torch/onnx/_internal/exporter/_capture_strategies.py:319`: it tries an export without `strict=True`,
then one with it, and raises `TorchExportError` where both fail. Run on torch 2.13 with onnxscript 0.7.2.
"""

from __future__ import annotations

from aoti_lint.language.classes import modules
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Trace
from aoti_lint.machine.tables import function
from aoti_lint.models.export import export
from aoti_lint.values import events as ev
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, TRUE, Tensor, Tup, Value


@function("torch.onnx.export")
def _export(m: Machine, call: Call) -> Value:
    model, given = m.see(call.arg(0, "model") or NONE), m.see(call.arg(1, "args") or Tup(()))
    spec = call.kwargs.get("dynamic_shapes")
    if m.see(call.kwargs.get("dynamo", NONE)) == TRUE and spec is not None and modules.is_module(m, model):
        inputs = Tup((given,)) if isinstance(given, Tensor) else given
        handed = {"kwargs": call.kwargs.get("kwargs", NONE), "dynamic_shapes": spec}
        as_export = Call(call.node, [model, inputs], handed, open=call.open)
        made = export.described(m, as_export, "torch.onnx.export", model, Trace())
        m.emit(ev.OnnxExport, call.node, program=made)
    return m.unknown(call.node, "a program for ONNX")
