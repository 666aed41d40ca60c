"""Sizes of tensors: reading them out of arguments, and calculating with them as far as they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from aoti_lint.language.classes.objects import plain_enum
from aoti_lint.language.data.containers import items_of
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose, leaves
from aoti_lint.values.identity import combined, expr_of, ident
from aoti_lint.values.sizes.reckoning import reckoned
from aoti_lint.values.sizes.symbols import is_known
from aoti_lint.values.values import Choice, Const, Obj, Size, Sym, Tup, Unknown, Value

Shape: TypeAlias = "tuple[Value, ...]"

MAX_SIZE = 2**63 - 1
"""torch counts in 64 bits."""
MAX_PARTS = 64
"""Parts of a tensor that are told apart."""
MAX_OPERANDS = 5
"""Operands with alternatives of their own that one operation may have before it is not followed."""


def some(m: Machine, reason: str) -> Unknown:
    """A new unknown that is not worth telling the user about."""
    return Unknown(f"u{m.fresh()}", reason)


INTEGER = "int:"
"""How the key of an unknown begins that is surely an integer."""


def some_integer(m: Machine, reason: str) -> Unknown:
    """A new unknown that is surely an integer, as the number of a round is."""
    return Unknown(f"{INTEGER}{m.fresh()}", reason)


def is_integer(value: Value) -> bool:
    """Whether a value is surely one integer, known or not."""
    return number(value) is not None or (isinstance(value, Unknown) and value.key.startswith(INTEGER))


def number(value: Value | None) -> int | None:
    """The integer that `value` surely is."""
    if isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return value.value
    return None


def numbers(shape: Iterable[Value]) -> list[int] | None:
    """All sizes as integers; None if one is not known."""
    found = [number(s) for s in shape]
    return None if None in found else [n for n in found if n is not None]


def size(m: Machine, value: Value) -> Value:
    """One size as torch takes it, -1 included; unknown where it is not surely a number."""

    def apply(v: Value) -> Value:
        if isinstance(v, Obj) and v.kind == "enum":
            v = plain_enum(m, v)
        if number(v) is not None or isinstance(v, Unknown):
            return v
        if isinstance(v, Sym) and (v.default is None or (number(v.default) or 0) > 0):
            return v
        return Unknown(f"size:{ident(v)}", "a size that is not a number we know")

    return lift(m, value, apply)


def is_negative(value: Value) -> bool:
    """Whether some alternative of a size is negative, and so means something else than a size."""
    return any((number(leaf) or 0) < 0 for _, leaf in leaves(value))


def is_sequence(value: Value) -> bool:
    return isinstance(value, Tup) or (isinstance(value, Obj) and value.kind == "list")


def sizes_of(m: Machine, value: Value | None) -> Shape | None:
    """The sizes a tuple or list holds; None if it is none, or their number is not known."""
    if value is None:
        return None
    value = m.see(value)
    if isinstance(value, Choice):
        with m.assuming({value.cond: True}):
            then = sizes_of(m, value.then)
        with m.assuming({value.cond: False}):
            other = sizes_of(m, value.other)
        if then is None or other is None or len(then) != len(other):
            return None
        return tuple(choose(value.cond, a, b) for a, b in zip(then, other, strict=True))
    items = items_of(m, value) if is_sequence(value) else None
    return None if items is None else tuple(size(m, item) for item in items)


def size_arguments(m: Machine, call: Call, start: int = 0, *names: str) -> Shape | None:
    """The sizes a call is given: as `2, 3`, as `(2, 3)`, or by one of the keywords `names`."""
    for name in names:
        if name in call.kwargs:
            return sizes_of(m, call.kwargs[name])
    given = call.args[start:]
    if len(given) == 1 and not all(isinstance(v, Size) or number(v) is not None for _, v in leaves(m.see(given[0]))):
        return sizes_of(m, given[0])  # a symbol alone may be a size or all of them
    if call.open or not given or any(is_sequence(m.see(g)) for g in given):
        return None
    return tuple(size(m, g) for g in given)


# ---------------------------------------------------------------- dimensions


def dim_of(value: Value | None, rank: int) -> int | None:
    """The dimension an argument names, counted from the front; None if it is not known or not there."""
    index = number(value)
    if index is None or not -max(rank, 1) <= index < max(rank, 1):
        return None
    return index % max(rank, 1)


def dims_of(m: Machine, value: Value | None, rank: int) -> list[int] | None:
    """The dimensions that a number or a sequence of them names."""
    value = m.see(value) if value is not None else None
    given = items_of(m, value) if value is not None and is_sequence(value) else [value]
    found = [dim_of(g, rank) for g in given or ()]
    if given is None or None in found or len(set(found)) != len(found):
        return None
    return [d for d in found if d is not None]


def without(shape: Shape, dims: Iterable[int]) -> Shape:
    gone = set(dims)
    return tuple(s for i, s in enumerate(shape) if i not in gone)


def put(shape: Shape, dim: int, value: Value) -> Shape:
    """`shape` with another size at `dim`."""
    return (*shape[:dim], value, *shape[dim + 1 :])


# ---------------------------------------------------------------- arithmetic


def calculate(m: Machine, op: str, a: Value, b: Value, apply: Callable[[int, int], int]) -> Value:
    """`a op b` of two sizes: the same unknown for the same operands."""

    def both(x: Value, y: Value) -> Value:
        first, second = number(x), number(y)
        if first is not None and second is not None:
            made = apply(first, second)
            large = Unknown(f"{op}({ident(x)},{ident(y)})", "a size that is too large for torch")
            return Const(made) if abs(made) <= MAX_SIZE else large
        if isinstance(x, Size) or isinstance(y, Size):
            return combined(op, x, y)
        return reckoned(op, x, y)

    return lift(m, a, lambda x: lift(m, b, lambda y: both(x, y)))


def times(m: Machine, a: Value, b: Value) -> Value:
    if Const(1) in (a, b):
        return b if a == Const(1) else a
    return calculate(m, "*", a, b, lambda x, y: x * y)


def plus(m: Machine, a: Value, b: Value) -> Value:
    if Const(0) in (a, b):
        return b if a == Const(0) else a
    if (less := -(number(b) or 0)) > 0 and number(a) is None:
        return calculate(m, "-", a, Const(less), lambda x, y: x - y)
    return calculate(m, "+", a, b, lambda x, y: x + y)


def minus(m: Machine, a: Value, b: Value) -> Value:
    """`a - b`, which is a number where all that is open cancels out."""
    made = calculate(m, "-", a, b, lambda x, y: x - y) if b != Const(0) else a
    values = set(made.expr.worths) if isinstance(made, Size) else set()
    (only,) = values if len(values) == 1 and is_known(expr_of(made)) else (None,)
    return Const(only) if isinstance(only, int) else made


def product(m: Machine, shape: Iterable[Value]) -> Value:
    """The number of elements."""
    result: Value = Const(1)
    for one in shape:
        result = times(m, result, one)
    return result


def broadcast(m: Machine, shapes: list[Shape | None]) -> Shape | None:
    """The shape several shapes broadcast to; None if one is unknown or they do not fit."""
    result: Shape = ()
    for shape in shapes:
        if shape is None:
            return None
        rank = max(len(result), len(shape))
        one = (Const(1),) * (rank - len(result)) + result
        two = (Const(1),) * (rank - len(shape)) + shape
        pairs = [_fit(m, a, b) for a, b in zip(one, two, strict=True)]
        if None in pairs:
            return None
        result = tuple(p for p in pairs if p is not None)
    return result


def _fit(m: Machine, a: Value, b: Value) -> Value | None:
    a, b = m.see(a), m.see(b)
    if a == b or b == Const(1):
        return a
    if a == Const(1):
        return b
    first, second = number(a), number(b)
    if first is not None and second is not None:
        return None
    if m.root.watch is not None:
        m.root.watch.fit(m, a, b)
    # The other size can only be the same or 1.
    if first is not None:
        return a
    if second is not None:
        return b
    made = Unknown(f"broadcast({ident(a)},{ident(b)})", "the size two unknown sizes broadcast to")
    if m.root.watch is not None:
        m.root.watch.fitted[made.key] = a, b
    return made


def same(m: Machine, shapes: list[Shape]) -> Shape | None:
    """The one shape of tensors that must agree; None where they cannot."""
    result = shapes[0]
    for shape in shapes[1:]:
        if len(shape) != len(result):
            return None
        for i, (a, b) in enumerate(zip(result, shape, strict=True)):
            if number(a) is not None and number(b) is not None and a != b:
                return None
            if m.root.watch is not None:
                m.root.watch.fit(m, a, b)
            if number(b) is not None:
                result = put(result, i, b)
    return result


# ---------------------------------------------------------------- alternatives


def over(m: Machine, values: list[Value], apply: Callable[[list[Value]], Value]) -> Value:
    """`apply` to every combination of the alternatives of several values."""
    seen = [m.see(v) for v in values]
    if sum(isinstance(v, Choice) for v in seen) > MAX_OPERANDS:
        return some(m, "too many of the operands have alternatives")
    for i, value in enumerate(seen):
        if isinstance(value, Choice):
            return lift(m, value, lambda leaf, i=i: over(m, [*seen[:i], leaf, *seen[i + 1 :]], apply))  # type: ignore[misc]
    return apply(seen)
