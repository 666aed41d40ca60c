"""Whether autograd follows what is computed: a compiled call of which a backward pass may come keeps its results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aoti_lint.machine.changes import named
from aoti_lint.machine.machine import Machine
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, TRUE, Value

CELL = ("torch", "gradients")
"""The cell that holds whether autograd is on: not there means it is."""
WANTED = "wants a gradient"
"""Owner of cells, one for each tensor that was made to get a gradient."""


def switch(m: Machine, on: Value) -> Value:
    """Turn autograd on or off; gives what it was."""
    before = m.store.read(*CELL) or TRUE
    m.store.write(*CELL, on)
    return before


@named
@contextmanager
def off(m: Machine, on: Value = FALSE) -> Iterator[None]:
    """Run without autograd."""
    before = switch(m, on)
    try:
        yield
    finally:
        m.store.write(*CELL, before)


def want(m: Machine, tensor: Tensor) -> None:
    """A tensor is to get a gradient."""
    m.store.write(WANTED, tensor.key, TRUE)


def wanted(m: Machine, differentiable: bool) -> bool:
    """Whether autograd may follow a call, in which something `differentiable` was called or not."""
    if m.read(*CELL) == FALSE:
        return False
    return differentiable or bool(list(m.store.slots(WANTED)))
