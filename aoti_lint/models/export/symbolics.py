"""`Function.apply` of a project's `torch.autograd.Function` that says with `symbolic` what it is in ONNX."""

from __future__ import annotations

from aoti_lint.language import access, calls
from aoti_lint.language.effects import api_calls
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.values.call import Call
from aoti_lint.values.values import Class, Ref, Value

FUNCTIONS = frozenset({Ref("torch.autograd.Function"), Ref("torch.autograd.function.Function")})


@method("Class", "apply")
def _apply(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Class) and m.root.exporting is not None:
        line = access.ancestors(m, receiver)
        if not FUNCTIONS.isdisjoint(line) and access.class_member(m, receiver, "symbolic") is not None:
            api_calls.tell(m, call, api_calls.SYMBOLIC, receiver)
    calls.give_away(m, call, ".apply()")
    return m.unknown(call.node, "the result of .apply() is not known")
