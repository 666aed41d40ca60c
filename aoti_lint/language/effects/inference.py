"""What is made inside `torch.inference_mode()`: tensors that autograd and export take outside of it no more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.changes import named
from aoti_lint.machine.machine import Machine
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, TRUE, Obj, Value

CELL = ("torch", "inference")
"""The cell that holds whether inference mode is on: not there means it is not."""
MADE = "made in inference mode"
"""Owner of cells, one for each tensor and layer that was made in it."""


@dataclass(frozen=True, slots=True, repr=False)
class Made(Value):
    """That something was made in inference mode, at `span`."""

    span: Span


@named
@contextmanager
def switched(m: Machine, on: Value) -> Iterator[None]:
    """Run with inference mode on, off, or (`on` unknown) in one of both."""
    before = m.store.read(*CELL) or FALSE
    m.store.write(*CELL, on)
    try:
        yield
    finally:
        m.store.write(*CELL, before)


def is_off(m: Machine) -> bool:
    """Whether inference mode is surely off."""
    return m.read(*CELL) in (None, FALSE)


def name_of(one: Tensor | Obj) -> str:
    return one.key if isinstance(one, Tensor) else str(one.ident)


def note(m: Machine, node: nodes.Node, one: Tensor | Obj) -> None:
    """A tensor, or a layer with its weights, is made at `node`."""
    if m.read(*CELL) == TRUE:
        m.store.write(MADE, name_of(one), Made(m.span(node)))


def made(m: Machine, one: Tensor | Obj) -> Span | None:
    """Where a tensor, or the weights of a layer, were surely made in inference mode."""
    found = m.read(MADE, name_of(one))
    return found.span if isinstance(found, Made) else None
