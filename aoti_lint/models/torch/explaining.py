"""`torch._dynamo.explain`: what it gives is one object (`torch/_dynamo/backends/debugging.py`, since torch 2.1)."""

from __future__ import annotations

from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import EXPLAINED
from aoti_lint.values.values import Obj, Ref, Value

_WAITING = "torch._dynamo.explain(f)"


@function("torch._dynamo.explain")
def _explain(m: Machine, call: Call) -> Value:
    """With the inputs of the function, as before torch 2.1, or without: then it is called with these."""
    if call.open or len(call.args) + len(call.kwargs) > 1:
        return Obj(m.fresh(), "object", Ref(EXPLAINED))
    return Obj(m.fresh(), "object", Ref(_WAITING))


@method(_WAITING, "__call__")
def _called(m: Machine, call: Call, receiver: Value) -> Value:
    return Obj(m.fresh(), "object", Ref(EXPLAINED))
