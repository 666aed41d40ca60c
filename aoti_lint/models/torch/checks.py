"""`torch._check` and its like: they raise where what they are given is false, or a tensor."""

from __future__ import annotations

from aoti_lint.language.flow import raised
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, Value


def _raising(exception: str, *names: str) -> None:
    @function(*names)
    def check(m: Machine, call: Call) -> Value:
        given = call.arg(0, "condition" if names == ("torch._assert",) else "cond")
        if given is not None and m.see(given) == FALSE:
            raised.note(m, call.node, exception)
        elif names != ("torch._assert",) and given is not None and isinstance(m.see(given), Tensor):
            raised.note(m, call.node, "TypeError")
        return NONE


_raising("AssertionError", "torch._assert")
_raising("RuntimeError", "torch._check")
_raising("ValueError", "torch._check_value")
_raising("IndexError", "torch._check_index")
_raising("TypeError", "torch._check_type")
_raising("NotImplementedError", "torch._check_not_implemented")
