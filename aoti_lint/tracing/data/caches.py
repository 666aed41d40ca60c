"""The tensors of a forward that it puts into a cache: what `functools.lru_cache` keeps, or a list or dict."""

from __future__ import annotations

from collections.abc import Container, Mapping

from aoti_lint.language.effects.leftovers import Caches
from aoti_lint.language.functions import CACHED
from aoti_lint.machine.machine import is_newer
from aoti_lint.tracing.trial_observer import was_there
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Pairs, Tup, Value


def of(changed: Mapping[tuple[object, str], Value], boxes: Container[object], begun: int) -> Caches:
    """Of cells that a forward changed, those of caches, with the tensors in them that it made.

    `boxes` are the lists, dicts and sets that it put something into; it made what has an identity after `begun`.
    """
    found: Caches = {}
    for (owner, slot), held in changed.items():
        if not isinstance(owner, int) or is_newer(owner, begun):
            continue
        if slot.startswith(CACHED) or owner in boxes:
            tensors = tuple(one for one in _inside(held) if isinstance(one, Tensor) and _is_made(one, begun))
            if tensors:
                found[owner, slot] = held, tensors
    return found


def _inside(held: Value) -> list[Value]:
    match held:
        case Pairs(pairs):
            return [one for _, one in pairs]
        case Tup(items):
            return [*items]
        case _:
            return [held]


def _is_made(tensor: Tensor, begun: int) -> bool:
    return tensor.key.startswith("t") and tensor.key[1:].isdecimal() and not was_there(tensor.key, begun)
