"""How many elements tensors of open sizes have, and what -1 stands for in a shape."""

from __future__ import annotations

from aoti_lint.values.identity import expr_of
from aoti_lint.values.sizes.symbols import Expr, is_known
from aoti_lint.values.values import Const, Size, Value


def quotient(left: Expr, right: Expr) -> Value:
    if left[0] == right[0] == "const":
        return Const(left[1] // right[1])
    return Size(f"{left.digest}//{right.digest}", "a size", Expr("//", left, right))


def inferred(source: tuple[Value, ...], sizes: tuple[Value, ...]) -> list[Value]:
    """The sizes with -1 worked out, if it can be."""
    whole, others = product(source), product(tuple(size for size in sizes if size != Const(-1)))
    if whole is None or others is None:
        return list(sizes)
    return [quotient(whole, others) if size == Const(-1) else size for size in sizes]


def product(sizes: tuple[Value, ...]) -> Expr | None:
    """How many elements a tensor of these sizes has; None where a size is not known, or is 0."""
    number, made = 1, None
    for size in sizes:
        expr = expr_of(size)
        if not is_known(expr):
            return None
        if expr[0] == "const":
            number *= expr[1]
        else:
            made = expr if made is None else Expr("*", made, expr)
    if number < 1:
        return None
    whole = Expr("const", number)
    return whole if made is None else made if number == 1 else Expr("*", whole, made)
