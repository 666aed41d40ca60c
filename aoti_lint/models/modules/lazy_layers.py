"""Layers of `torch.nn` that learn the sizes of their weights from the first tensor they are called with."""

from __future__ import annotations

from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.models.modules import module_parts
from aoti_lint.values.values import FALSE, TRUE, Obj, Ref, Value

_RUN = "#run"
"""The slot of a module that was called, or that weights were loaded into."""
_PREFIX = "torch.nn.Lazy"


def ran(m: Machine, module: Value) -> None:
    """A module is called, or given weights; in a trace that changes nothing."""
    if isinstance(module, Obj) and m.root.trace is None and m.root.watch is None:
        m.store.write(module.ident, _RUN, TRUE)


def waiting(m: Machine, model: Value) -> tuple[str, ...]:
    """The classes of the layers in a model that surely have no weights yet."""
    inside = module_parts.descendants(m, model) if isinstance(model, Obj) else None
    around = [one for one in inside or () if isinstance(one, Obj)]
    lazy = [one for one in around if isinstance(one.cls, Ref) and one.cls.name.startswith(_PREFIX)]
    if not lazy or any(m.read(one.ident, slot) is not None for one in around for slot in (_RUN, HANDED)):
        return ()
    return tuple(dict.fromkeys(one.cls.name for one in lazy if isinstance(one.cls, Ref) and _has_weights(m, one)))


def _has_weights(m: Machine, layer: Obj) -> bool:
    """A normalization may be made without."""
    return not any(m.see(m.read(layer.ident, f"#arg{at}") or TRUE) == FALSE for at in (2, 3))
