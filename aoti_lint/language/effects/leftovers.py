"""Tensors that a forward puts into a cache while it is exported: they have no numbers, and stay there after the export.

What is kept in attributes of a module the export puts back as it was; what is kept elsewhere it does not. Run on torch
2.13, see the rule AOTI728.
"""

from __future__ import annotations

from typing import TypeAlias

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.compiled import FakeMet
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Value

Caches: TypeAlias = "dict[tuple[int, str], tuple[Value, tuple[Tensor, ...]]]"
"""Cells of caches, what they hold, and the tensors in it that a forward made."""
_OWNER = "kept while exported"
"""Owner of cells, one for the key of each such tensor."""


@dataclass(frozen=True, slots=True, repr=False)
class Kept(Value):
    """That a tensor was made by the export at `span`."""

    span: Span


def keep(m: Machine, node: nodes.Node, caches: Caches) -> None:
    """The export at `node` has left these."""
    for cell, (held, tensors) in caches.items():
        m.store.write(*cell, held)
        for one in tensors:
            m.store.write(_OWNER, one.key, Kept(m.span(node)))


def met(m: Machine, node: nodes.Node, found: Value) -> None:
    """Something was taken out of a cache."""
    if isinstance(found, Tensor) and m.root.watch is None and not m.root.compiling:
        kept = m.read(_OWNER, found.key)
        if isinstance(kept, Kept):
            m.emit(FakeMet, node, exported=kept.span)
