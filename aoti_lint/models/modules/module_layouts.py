"""`module.to(memory_format=…)`: how the weights of a module lie in memory."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.classes.modules import is_module
from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.models.modules import module_parts
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.sizes import Shape
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Obj, Ref, Value

FORMAT = "#format"
"""The slot of a module that holds the memory format which it was given, where it was given one."""


def lay(m: Machine, model: Value, memory_format: Value, seen: set[int] | None = None) -> None:
    """Give the weights of a module, and of those in it, a memory format."""
    seen, model = set() if seen is None else seen, m.see(model)
    if not isinstance(model, Obj) or model.ident in seen:
        return
    seen.add(model.ident)
    m.store.write(model.ident, FORMAT, memory_format)
    for slot, held in list(m.store.slots(model.ident)):
        held = m.see(held)
        if isinstance(held, Tensor) and held.role:
            m.store.write(model.ident, slot, replace(held, strides=None))
    for part in module_parts.parts(m, model):
        if is_module(m, part):
            lay(m, part, memory_format, seen)


def strides(m: Machine, layer: Obj, shape: Shape) -> memory.Strides | None:
    """The strides of the weight of a convolution that was made with these sizes."""
    asked = m.read(layer.ident, FORMAT)
    if asked is None:
        return None if m.read(layer.ident, HANDED) is not None else memory.dense(shape)
    known = m.see(asked)
    order = memory.LAST.get(known.name, ()) if isinstance(known, Ref) else ()
    return memory.channels_last(shape) if len(order) == len(shape) else None
