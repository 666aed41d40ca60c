"""What torch's tracer of Python code does not take on tensors: with `strict=True`, and in one graph of `torch.compile`.

Each run on torch 2.13 in both ways; what an export that does not trace Python's code says of them is another thing.
"""

from __future__ import annotations

from collections.abc import Container

from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, TRUE, Unknown, Value

_MAKING = frozenset(f"torch.{name}" for name in (
    "arange", "empty", "eye", "full", "linspace", "ones", "ones_like", "rand", "rand_like", "randn", "randn_like",
    "tensor", "zeros", "zeros_like",
))  # fmt: skip
_WHOLE = frozenset({"torch.int64", "torch.int32", "torch.int16", "torch.int8", "torch.uint8"})
GRADIENT = "setting `requires_grad` of a tensor"


def of_call(m: Machine, site: Call, name: str, first: Value | None, numbers: Container[str]) -> str:
    """What of a call is not taken, in words; empty if nothing is. `numbers` are the keys of those out of tensors."""
    if name in ("str", "repr") and first is not None:
        number = isinstance(first, Unknown) and first.key in numbers
        return f"{name}() of {'a number out of ' * number}a tensor" if number or _shows_tensor(m, first) else ""
    if name == "pow" and isinstance(first, Tensor):
        return "Python's pow() of a tensor"
    if name in _MAKING and m.see(site.kwargs.get("requires_grad", FALSE)) == TRUE:
        return "a tensor made with requires_grad=True"
    return ""


def of_method(m: Machine, site: Call, tensor: Tensor, name: str, given: Container[str]) -> str:
    """The same of a call of a tensor's method; `given` are the keys of inputs, parameters and buffers."""
    if name == "tolist" and tensor.dtype is not None and tensor.dtype.startswith("torch."):
        return "" if tensor.dtype in _WHOLE else "tolist() of a tensor that holds no integers"
    if name == "requires_grad_" and tensor.key in given:
        wanted = m.see(site.arg(0, "requires_grad") or TRUE)
        changed = wanted == (FALSE if tensor.role == "parameter" else TRUE)
        return "requires_grad_() of what the code is given" if changed else ""
    return ""


def _shows_tensor(m: Machine, value: Value) -> bool:
    if isinstance(value, Tensor):
        return True
    return any(isinstance(m.see(one), Tensor) for one in containers.items_of(m, value) or ())
