"""What is made inside `torch.inference_mode()`: tensors that autograd and export take outside of it no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aoti_lint.interp.events import InferenceUse
from aoti_lint.interp.values import ABSENT, FALSE, TRUE, Device, Obj, Tensor, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Span
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes
    from aoti_lint.symbolic.watch import Note

CELL = ("torch", "inference")
"""The cell that holds whether inference mode is on: not there means it is not."""
MADE = "made in inference mode"
"""Owner of cells, one for each tensor and layer that was made in it."""


@dataclass(frozen=True, slots=True, repr=False)
class Made(Value):
    """That something was made in inference mode, at `span`."""

    span: Span


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


def _name(one: Tensor | Obj) -> str:
    return one.key if isinstance(one, Tensor) else str(one.ident)


def note(m: Machine, node: nodes.Node, one: Tensor | Obj) -> None:
    """A tensor, or a layer with its weights, is made at `node`."""
    if m.read(*CELL) == TRUE:
        m.store.write(MADE, _name(one), Made(m.span(node)))


def made(m: Machine, one: Tensor | Obj) -> Span | None:
    """Where a tensor, or the weights of a layer, were surely made in inference mode."""
    found = m.read(MADE, _name(one))
    return found.span if isinstance(found, Made) else None


def renewed(m: Machine, value: Value, seen: set[int] | None = None) -> None:
    """The tensors of a module, or whatever holds some, are perhaps others now."""
    from aoti_lint.interp.models.module_parts import parts

    seen = set() if seen is None else seen
    value = m.see(value)
    if isinstance(value, Tensor | Obj) and m.store.read(MADE, _name(value)) is not None:
        m.store.write(MADE, _name(value), ABSENT)
    if isinstance(value, Obj) and value.ident not in seen:
        seen.add(value.ident)
        for part in parts(m, value):
            renewed(m, part, seen)


def changed(m: Machine, keys: Mapping[str, Note]) -> Iterator[InferenceUse]:
    """Which of the tensors with these keys, that a forward changes, were surely made in inference mode."""
    for key, note in keys.items():
        found = m.read(MADE, key)
        if isinstance(found, Made):
            yield InferenceUse("changed", note.span, found.span, note.path)


def weights(m: Machine, model: Value, seen: set[int] | None = None) -> Iterator[Span]:
    """Where parameters of a model were surely made in inference mode, of those whose place is still known."""
    from aoti_lint.interp.models import module_parts

    seen = set() if seen is None else seen
    if not isinstance(model, Obj) or model.ident in seen:
        return
    seen.add(model.ident)
    place, own = m.read(model.ident, "#device"), made(m, model)
    if own is not None and isinstance(place, Device) and module_parts.has_parameters(m, model, set()):
        yield own
    for part in module_parts.parts(m, model):
        if isinstance(part, Obj):
            yield from weights(m, part, seen)
        elif isinstance(part, Tensor) and part.role == "parameter" and not isinstance(m.see(part.device), Unknown):
            where = made(m, part)
            if where is not None:
                yield where
