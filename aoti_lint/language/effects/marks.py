"""What `mark_dynamic` said of a tensor, which is lost in tensors that are made of it.

Run on torch 2.13: a mark is an attribute of the object. `deepcopy` carries it on, and methods that give the tensor
itself where nothing has to change.
"""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.compiled import MarkLost
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Compilation, Value

LOSING = frozenset({
    "clone", "detach", "view", "transpose", "permute", "t", "repeat", "expand", "add", "sub", "mul", "div",
})  # fmt: skip
"""Methods that always give another tensor."""
DIMS = "marks"
"""Owner of the cells that hold, by the key of a tensor, the dimensions that were marked in some way."""
DECLARED = "marked"
"""The same: what `mark_dynamic` said, as `dynamic_shapes` would say it."""
_MARKED, _LOST = "marked at", "lost marks"
"""The same: the tensor that was marked, with the place where it was."""


def mark(m: Machine, node: nodes.Node, tensor: Tensor) -> None:
    """`tensor` is marked at `node`."""
    m.store.write(_MARKED, tensor.key, replace(tensor, span=m.span(node)))


def lose(m: Machine, source: Value, made: Value) -> None:
    """`made` is another tensor, made of `source`. One of another rank may be meant to have no mark."""
    if not isinstance(source, Tensor) or not isinstance(made, Tensor) or source.key == made.key:
        return
    if source.shape is not None and made.shape is not None and len(source.shape) == len(made.shape):
        marked = m.read(_MARKED, source.key) or m.read(_LOST, source.key)
        if marked is not None:
            m.store.write(_LOST, made.key, marked)


def tell(m: Machine, node: nodes.Node, by: Compilation, given: tuple[Value, ...]) -> None:
    """Tell the rules of what a compiled function is given in the place of a tensor that was marked."""
    for one in given:
        if isinstance(one, Tensor) and m.read(_MARKED, one.key) is None:
            marked = m.read(_LOST, one.key)
            if isinstance(marked, Tensor) and marked.span is not None:
                m.emit(MarkLost, node, compilation=by, marked=marked.span)
