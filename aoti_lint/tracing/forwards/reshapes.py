"""What a reshape asks of the sizes of a tensor.

Run on torch 2.13: `x.view(6, -1)` of an example of six rows is held to six, `x.view(2, -1, 8)` to an even number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from aoti_lint.tracing.products import inferred, product, quotient
from aoti_lint.tracing.questions import is_open
from aoti_lint.values.identity import expr_of
from aoti_lint.values.sizes.symbols import Expr, has_size
from aoti_lint.values.values import Const, Value

Asked: TypeAlias = tuple[str, Expr, str, Expr]
"""The kind of a guard (see `SizeGuard`), and its two sides around what compares them."""
ZERO = Expr("const", 0)


def asked_by_reshape(
    source: tuple[Value, ...], sizes: tuple[Value, ...], example: Callable[[Value], float | None]
) -> Iterator[Asked]:
    """A tensor of the sizes `source` is seen as one of `sizes`, of which one may be -1.

    `example` gives what a size is for the example inputs.
    """
    if len(sizes) > 1 and not (len(sizes) == 2 and len(source) == 1):
        yield from _walked(list(source), inferred(source, sizes), example)
    left, right = list(source), [size for size in sizes if size != Const(-1)]
    for kept in [size for size in right if not isinstance(size, Const)]:
        if kept in left:
            left.remove(kept)
            right.remove(kept)
    given, fixed = product(tuple(left)), product(tuple(right))
    if given is None or fixed is None or not (has_size(given) or has_size(fixed)):
        return
    if Const(-1) not in sizes:
        yield "reshape", given, "==", fixed
    else:
        yield "reshape", Expr("%", given, fixed), "==", ZERO


def _walked(left: list[Value], wanted: list[Value], example: Callable[[Value], float | None]) -> Iterator[Asked]:
    """Where a size that is wanted is that of a dimension for the example, it has to be that for all.

    Dimensions are joined until the one that is wanted can be split off (`torch/_refs/__init__.py`,
    `_reshape_view_helper_core_alg`, release 2.13.0).
    """
    for at, length in enumerate(wanted):
        one = example(length)
        if at >= len(left) or one is None or one < 1:
            return
        joined = example(left[at])
        if joined == one:
            if is_open(left[at]) or is_open(length):
                yield "reshape", expr_of(left[at]), "==", expr_of(length)
            continue
        end = at
        if is_open(left[at]) and isinstance(length, Const):
            yield "walk", expr_of(left[at]), "!=", expr_of(length)
        while joined is not None and joined % one and end + 1 < len(left):
            yield from _compared(product(tuple(left[at : end + 1])), "!=", length, "walk")
            end += 1
            more = example(left[end])
            joined = None if more is None else joined * more
        whole = product(tuple(left[at : end + 1]))
        if joined is None or joined % one or whole is None:
            return
        yield from _compared(whole, "==", length, "walk" if at or end + 1 < len(left) else "reshape")
        rest = () if joined == one else (quotient(whole, expr_of(length)),)
        left[at : end + 1] = [length, *rest]


def _compared(whole: Expr | None, op: str, wanted: Value, kind: str) -> Iterator[Asked]:
    """Dimensions together are a multiple of the size that is wanted (`==`) or not (`!=`), and have to stay so."""
    if whole is not None and has_size(whole) and (isinstance(wanted, Const) or is_open(wanted)):
        yield kind, Expr("%", whole, expr_of(wanted)), op, ZERO
