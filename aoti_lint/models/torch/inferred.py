"""What of a module was made in `torch.inference_mode()`, and what a forward changes of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from aoti_lint.diagnostics import Span
from aoti_lint.language.effects import inference
from aoti_lint.machine.machine import Machine
from aoti_lint.models.modules import module_parts
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import InferenceUse
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import ABSENT, Obj, Unknown, Value


class Noted(Protocol):
    """A change that was seen: where, and under which answers."""

    @property
    def span(self) -> Span: ...
    @property
    def path(self) -> tuple[tuple[Cond, bool], ...]: ...


def renewed(m: Machine, value: Value, seen: set[int] | None = None) -> None:
    """The tensors of a module, or whatever holds some, are perhaps others now."""
    seen = set() if seen is None else seen
    value = m.see(value)
    if isinstance(value, Tensor | Obj) and m.store.read(inference.MADE, inference.name_of(value)) is not None:
        m.store.write(inference.MADE, inference.name_of(value), ABSENT)
    if isinstance(value, Obj) and value.ident not in seen:
        seen.add(value.ident)
        for part in module_parts.parts(m, value):
            renewed(m, part, seen)


def changed(m: Machine, keys: Mapping[str, Noted]) -> Iterator[InferenceUse]:
    """Which of the tensors with these keys, that a forward changes, were surely made in inference mode."""
    for key, note in keys.items():
        found = m.read(inference.MADE, key)
        if isinstance(found, inference.Made):
            yield InferenceUse("changed", note.span, found.span, note.path)


def weights(m: Machine, model: Value, seen: set[int] | None = None) -> Iterator[Span]:
    """Where parameters of a model were surely made in inference mode, of those whose place is still known."""
    seen = set() if seen is None else seen
    if not isinstance(model, Obj) or model.ident in seen:
        return
    seen.add(model.ident)
    place, own = m.read(model.ident, "#device"), inference.made(m, model)
    if own is not None and isinstance(place, Device) and module_parts.has_parameters(m, model, set()):
        yield own
    for part in module_parts.parts(m, model):
        if isinstance(part, Obj):
            yield from weights(m, part, seen)
        elif isinstance(part, Tensor) and part.role == "parameter" and not isinstance(m.see(part.device), Unknown):
            where = inference.made(m, part)
            if where is not None:
                yield where
