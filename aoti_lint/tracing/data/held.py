"""The tensors that a model holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aoti_lint.language.classes.modules import is_module
from aoti_lint.machine.machine import Machine
from aoti_lint.models.modules.modes import registered
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Obj, Value


class Held(NamedTuple):
    """A tensor that the module `owner` holds as the attribute `name`."""

    owner: int
    name: str
    tensor: Tensor


def held_tensors(m: Machine, module: Value, seen: set[int] | None = None) -> Iterator[Held]:
    """The tensors that a module and those inside it hold as attributes."""
    seen = set() if seen is None else seen
    module = m.see(module)
    if not isinstance(module, Obj) or module.ident in seen or not is_module(m, module):
        return
    seen.add(module.ident)
    for name, held in list(m.store.slots(module.ident)):
        tensor = m.see(held)
        if isinstance(tensor, Tensor) and not name.startswith("#"):
            yield Held(module.ident, name, tensor)
    for one in registered(m, module):
        yield from held_tensors(m, one, seen)
