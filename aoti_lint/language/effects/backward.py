"""What a backward pass comes through: which values are made of weights, and a custom op on the way to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.effects import gradients
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.ops import BackwardThrough
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, TRUE, Many, Obj, Tup, Unknown, Value

MADE = "made of weights"
"""Owner of cells, one for the key of each value that is made of weights: true, or the `Through` that is on the way."""
FROZEN = ("torch", "weights without gradients")
"""The cell that says that some weights want no gradient: then nobody knows which do."""
PASSES = frozenset({"backward", "torch.autograd.backward", "torch.autograd.grad"})
"""Functions and methods that begin a backward pass."""
CUT = frozenset({
    "detach", "item", "tolist", "numpy", "argmax", "argmin", "argsort", "nonzero", "bool", "long", "int", "short",
    "byte", "eq", "ne", "gt", "ge", "lt", "le", "isnan", "isinf", "isfinite", "any", "all", "multinomial", "bincount",
    "unique", "searchsorted", "bucketize", "one_hot", "zeros_like", "ones_like", "empty_like", "full_like",
    "rand_like", "randn_like", "randint_like", "new_tensor", "new_zeros", "new_ones", "new_empty", "new_full", "size",
    "dim", "type", "numel", "allclose", "equal", "assert_close", "gather", "embedding", "index_select", "take",
    "take_along_dim", "save", "export",
})  # fmt: skip
"""Last words of functions and methods whose result autograd does not follow back, or not to all that they are given."""


@dataclass(frozen=True, slots=True)
class Through(Value):
    """That a value was made by the custom op `op`, called at `span`, of what was made of weights."""

    op: str
    span: Span


def freeze(m: Machine) -> None:
    """Some weights want no gradient from now on."""
    m.store.write(*FROZEN, TRUE)


def _is_followed(m: Machine) -> bool:
    trace = m.root.trace
    on = m.read(*gradients.CELL) != FALSE or (trace is not None and trace.without)
    return m.root.watch is None and on and m.read(*FROZEN) is None


def through(m: Machine, value: Value, depth: int = 0) -> Value | None:
    """What a backward pass from `value` comes through: true where it comes to weights, with no custom op on the way."""
    value = m.see(value)
    match value:
        case Tensor(key=key, role=role):
            return m.read(MADE, key) or (TRUE if role == "parameter" else m.read(gradients.WANTED, key))
        case Unknown(key=key):
            return m.read(MADE, key)
        case Obj(kind="list", ident=number) if depth < 3:
            held = m.read(number, "#items")
            return None if held is None else through(m, held, depth + 1)
        case Tup(items) if depth < 3:
            return _joined(m, items, depth + 1)
        case Many(element) if depth < 3:
            return through(m, element, depth + 1)
    return None


def is_followed(m: Machine, tensor: Tensor) -> bool:
    """Whether autograd surely follows a tensor, as it was computed of weights that get gradients."""
    return m.read(*FROZEN) is None and m.read(MADE, tensor.key) is not None


def _joined(m: Machine, values: Iterable[Value], depth: int = 0) -> Value | None:
    found = [one for value in values if (one := through(m, value, depth)) is not None]
    return next((one for one in found if isinstance(one, Through)), found[0] if found else None)


def given(m: Machine, found: Value | None, made: Value) -> Value:
    """From `made` a backward pass comes through `found`, if nothing is known of it yet."""
    if isinstance(made, Tup):
        for one in made.items:
            given(m, found, one)
    elif found is not None and _is_real(made) and _is_followed(m) and m.read(MADE, made.key) is None:
        m.store.write(MADE, made.key, found)
    return made


def _is_real(made: Value) -> TypeGuard[Tensor | Unknown]:
    """Whether it may be a tensor that has a gradient: integers and truths have none."""
    if isinstance(made, Tensor):
        return made.dtype is None or "float" in made.dtype or "complex" in made.dtype
    return isinstance(made, Unknown)


def of_layer(m: Machine, made: Value) -> None:
    """A layer with weights made this."""
    given(m, TRUE, made)


def carry(m: Machine, name: str, taken: Iterable[Value], made: Value) -> Value:
    """`made` is what the function, method or layer `name` gives for what it is given, `taken`."""
    if not isinstance(made, Tensor | Unknown | Tup) or name.rpartition(".")[2] in CUT or m.root.watch is not None:
        return made
    return given(m, _joined(m, taken), made)


def called(m: Machine, node: nodes.Node, op: str, taken: Iterable[Value], made: Value) -> Value:
    """A custom op is called, and gives `made`."""
    found = _joined(m, taken)
    return made if found is None else given(m, found if isinstance(found, Through) else Through(op, m.span(node)), made)


def begun(m: Machine, node: nodes.Node, value: Value) -> None:
    """A backward pass begins at `value`."""
    found = through(m, value)
    if isinstance(found, Through) and m.root.watch is None:
        m.emit(BackwardThrough, node, op=found.op, call=found.span)
