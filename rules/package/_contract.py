"""What an archive asks of each of its inputs, beside what a call gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aoti_lint.rule import dataclass
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.shapes import tensors
from aoti_lint.rule.values import Device, Tensor, Value

from ..shapes._counts import tensor_count

if TYPE_CHECKING:
    from aoti_lint.rule.contents import facts


@dataclass(frozen=True, slots=True)
class Asked:
    """One input: how messages name it, what the archive says of it, and what the call gives.

    `index` is the position of the argument that it is part of, None for a keyword.
    """

    name: str
    tensor: facts.Tensor
    given: Tensor
    index: int | None


def wanted(model: facts.Program | facts.Package) -> list[facts.Input]:
    """The tensors that a call has to give."""
    return [one for one in model.inputs if one.kind == "tensor"]


def asked(model: facts.Program | facts.Package, event: CallEvent) -> Iterator[Asked]:
    """The tensors of a call beside those the model was made for. What does not line up is left out."""
    if event.open:
        return
    signature = getattr(model, "signature", None)
    names: Sequence[str] = signature.split(", ") if signature else ()
    given = tensors(event.args, _in_order(model, event), lambda i: names[i] if i < len(names) else f"args[{i}]")
    # A package that takes something else as well does not say which of the arguments the tensors are.
    takes = wanted(model)
    numbered = any(one.path.startswith("inputs[") for one in takes)
    if numbered and not given_tensors(event) == len(given) == len(takes):
        return
    listed = list(given.values())
    for position, one in enumerate(takes):
        found = listed[position] if numbered else given.get(one.path)
        if found is not None and one.tensor is not None:
            tensor, index, key = found
            name = key if key is not None else one.path if names else f"input {position}"
            yield Asked(name, one.tensor, tensor, index)


def given_tensors(event: CallEvent) -> int | None:
    """How many tensors a call gives; None where that is not known."""
    return None if event.open else tensor_count([*event.args, *event.kwargs.values()])


def _in_order(model: facts.Program | facts.Package, event: CallEvent) -> dict[str, Value]:
    """The keywords of a call in the order in which a package takes them."""
    order = getattr(model, "keywords", None) or ()
    return {name: event.kwargs[name] for name in (*order, *event.kwargs) if name in event.kwargs}


def device_type(value: Value) -> str | None:
    """The type of a device that is known."""
    return value.type if isinstance(value, Device) else None
