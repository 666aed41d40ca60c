"""Which tensors are surely other objects than those that they are made of."""

from __future__ import annotations

from aoti_lint.machine.machine import Machine
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, TRUE, Const, Tup

OF = "made of"
"""The table of what tensors are made of: the key of the other, and whether this is surely not the same object."""
_FAR = 50
"""Steps that are gone back at most."""


def noted(m: Machine, made: Tensor, source: Tensor, *, is_new: bool) -> Tensor:
    """A tensor that is made of another; `is_new` where the operation never gives the very one that it takes."""
    m.store.write(OF, made.key, Tup((Const(source.key), TRUE if is_new else FALSE)))
    return made


def is_copy_of(m: Machine, tensor: Tensor, other: Tensor) -> bool:
    """Whether `tensor` is surely a new object that was made of `other`: that was there before."""
    held = m.read(OF, tensor.key)
    if not isinstance(held, Tup) or held.items[1] != TRUE:
        return False
    for _ in range(_FAR):
        if not isinstance(held, Tup):
            return False
        if held.items[0] == Const(other.key):
            return True
        source = held.items[0]
        held = m.read(OF, str(source.value)) if isinstance(source, Const) else None
    return False
