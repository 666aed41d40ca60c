"""Changes of a tensor itself: of its sizes in place, and of what its `data` is."""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from aoti_lint.language.effects import backward
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine, is_newer
from aoti_lint.models.tensors.sizes import Shape, some
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.store import Cell, Layer
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, TRUE, Choice, Many, Pairs, Tup, Value


def changed_in_place(m: Machine, old: Tensor, new: Tensor) -> Tensor:
    """`old` became `new`: so it is wherever it is held now. What a program was made of it stays as it was."""
    for layer in reversed(m.store.layers):
        for cell, value in list(layer.items()):
            if type(value) in HOLDERS:
                swapped = _swap(value, old.key, new)
                if swapped is not value and m.store.read(*cell) is value:
                    m.store.write(*cell, swapped)
        if _begins_with(m, layer, old.key):
            break
    return new


def _begins_with(m: Machine, layer: dict[Cell, Value], key: str) -> bool:
    """Whether the tensor was made in the run that this layer is the first one of: those below do not know it."""
    since = layer.since if isinstance(layer, Layer) else None
    # What a script made that is imported, too, may have been made by the import.
    if since is None or m.root.name in m.modules.namespaces or not key[1:].isdecimal():
        return False
    return key[0] == "t" and is_newer(int(key[1:]), since)


def written_out(m: Machine, call: Call) -> Value | None:
    """What a call that was given `out=` returns: that tensor, resized to the result. None if it was given none."""
    given = m.see(call.kwargs.get("out", NONE))
    if given == NONE:
        return None
    for one in given.items if isinstance(given, Tup) else (given,):
        for _, leaf in leaves(one):
            if isinstance(leaf, Tensor):
                changed_in_place(m, leaf, replace(leaf, shape=None, strides=None))
    return some(m, "what out= was given")


def _swap(value: Value, key: str, new: Tensor) -> Value:
    if type(value) not in HOLDERS:
        return value
    match value:
        case Tensor(key=held):
            return new if held == key else value
        case Choice(cond, then, other):
            one, two = _swap(then, key, new), _swap(other, key, new)
            return value if one is then and two is other else Choice(cond, one, two)
        case Tup(items):
            changed = [_swap(i, key, new) for i in items]
            return value if all(map(is_, items, changed)) else replace(value, items=tuple(changed))
        case Many(element):
            one = _swap(element, key, new)
            return value if one is element else Many(one)
        case Pairs(pairs):
            entries = tuple((k, _swap(v, key, new)) for k, v in pairs)
            return value if all(a[1] is b[1] for a, b in zip(pairs, entries, strict=True)) else Pairs(entries)
    return value


HOLDERS = frozenset({Tensor, Choice, Tup, Many, Pairs})
"""Kinds of values that are or hold a tensor; few of the values of a program are of these."""


@hooks.set_on_tensor.answers
def set_attribute(m: Machine, tensor: Tensor, name: str, new: Value) -> None:
    """`tensor.name = new`. Only `data` means anything for sizes and devices."""
    if name == "requires_grad" and m.see(new) != TRUE:
        backward.freeze(m)
    if name != "data":
        return
    new = m.see(new)
    if isinstance(new, Tensor):
        changed = replace(new, key=tensor.key, role=tensor.role)
    else:
        changed = Tensor(tensor.key, some(m, "its data was replaced"), None, None, tensor.role, tensor.span)
    changed_in_place(m, tensor, changed)
    if tensor.role and changed.device != tensor.device:
        _forget_modules(m, tensor.key, "#device")
    if tensor.role and changed.dtype != tensor.dtype:
        _forget_modules(m, tensor.key, "#dtype")


def _forget_modules(m: Machine, but: str, what: str) -> None:
    """A parameter was moved or cast by hand, and what is taken from a module does not say which of its parameters it
    is."""
    why = some(m, "a parameter was moved or cast by hand")
    seen = set()
    for layer in reversed(m.store.layers):
        for cell, held in list(layer.items()):
            if cell in seen:
                continue
            seen.add(cell)
            if cell[1] == what and m.read(*cell) != NONE:
                m.store.write(*cell, why)
            elif type(held) is Tensor and held.role and held.key != but:
                lost = {"device": why} if what == "#device" else {"dtype": None}
                m.store.write(*cell, replace(held, **lost))


@hooks.widened.answers
def widened(m: Machine, now: Value, later: Value) -> Value | None:
    """A value that covers what two rounds of a loop left; None where these are no tensors, or tuples of them."""
    if isinstance(now, Tup) and isinstance(later, Tup) and len(now.items) == len(later.items):
        items = [a if a == b else widened(m, a, b) for a, b in zip(now.items, later.items, strict=True)]
        return None if None in items else replace(now, items=tuple(i for i in items if i is not None))
    if not isinstance(now, Tensor) or not isinstance(later, Tensor):
        return None
    return replace(
        now,
        key=f"t{m.fresh()}",
        device=now.device if now.device == later.device else some(m, "its device changes in a loop"),
        shape=_common_shape(m, now.shape, later.shape),
        dtype=now.dtype if now.dtype == later.dtype else None,
        strides=now.strides if now.strides == later.strides else None,
    )


def _common_shape(m: Machine, now: Shape | None, later: Shape | None) -> Shape | None:
    if now is None or later is None or len(now) != len(later):
        return None
    return tuple(a if a == b else some(m, "a size that changes in a loop") for a, b in zip(now, later, strict=True))
