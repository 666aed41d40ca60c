"""What an archive asks of each of its inputs, beside what a call gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aoti_lint.rule import dataclass
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.shapes import tensors
from aoti_lint.rule.values import Const, Device, Pairs, Tensor, Tup, Value

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


def asked(model: facts.Program | facts.Package, event: CallEvent) -> Iterator[Asked]:
    """The tensors of a call beside those the model was made for. What does not line up is left out."""
    if event.open:
        return
    signature = getattr(model, "signature", None)
    names: Sequence[str] = signature.split(", ") if signature else ()
    given = tensors(event.args, event.kwargs, lambda i: names[i] if i < len(names) else f"args[{i}]")
    listed = list(given.values()) if _only_tensors(event) else []
    wanted = [one for one in model.inputs if one.kind == "tensor"]
    numbered = any(one.path.startswith("inputs[") for one in wanted)
    if numbered and len(listed) != len(wanted):
        return
    for position, one in enumerate(wanted):
        found = listed[position] if numbered else given.get(one.path)
        if found is not None and one.tensor is not None:
            tensor, index, key = found
            name = key if key is not None else one.path if names else f"input {position}"
            yield Asked(name, one.tensor, tensor, index)


def _only_tensors(event: CallEvent) -> bool:
    """Whether everything a call gives is known to be a tensor, in an order that is known."""
    return not event.kwargs and all(map(_is_tensor, event.args))


def _is_tensor(value: Value) -> bool:
    match value:
        case Tensor() | Const(None | bool() | int() | float() | str()):
            return True
        case Tup(items):
            return all(map(_is_tensor, items))
        case Pairs(pairs):
            return all(_is_tensor(item) for _, item in pairs)
        case _:
            return False


def device_type(value: Value) -> str | None:
    """The type of a device that is known."""
    return value.type if isinstance(value, Device) else None
