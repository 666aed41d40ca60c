"""Arithmetic with sizes that nobody knows, by itself and against what torch knows of them."""

from __future__ import annotations

import importlib.util
import itertools
import operator
from typing import Any

import pytest

from aoti_lint.values.sizes.symbols import LEAST, Expr, decided, equal, has_size, is_known, replaced, shown, unified

B: Expr = Expr("dim", "arg0", 0)
N: Expr = Expr("dim", "arg0", 1)
OTHER: Expr = Expr("dim", "arg1", 0)
K: Expr = Expr("arg", "arg2")
UNKNOWN: Expr = Expr("other", "u")


def number(value: float) -> Expr:
    return Expr("const", value)


TWO, FOUR = number(2), number(4)


# ---------------------------------------------------------------- the same or not


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (B, B),
        (Expr("+", B, N), Expr("+", N, B)),
        (Expr("*", B, TWO), Expr("+", B, B)),
        (Expr("//", Expr("*", B, TWO), TWO), B),
        (Expr("-", Expr("+", B, N), N), B),
        (Expr("ceil", Expr("/", B, FOUR)), Expr("//", Expr("+", B, number(3)), FOUR)),
        (Expr("neg", Expr("//", Expr("neg", B), FOUR)), Expr("ceil", Expr("/", B, FOUR))),
        (Expr("max", B, number(1)), B),
    ],
)
def test_the_same_whatever_the_inputs_are(one: Expr, other: Expr) -> None:
    assert equal(one, other) is True
    assert equal(other, one) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (B, N),
        (B, OTHER),
        (B, number(8)),
        (Expr("+", B, number(1)), B),
        (Expr("*", B, TWO), Expr("*", B, number(3))),
        (Expr("//", B, TWO), B),
        (K, B),
    ],
)
def test_not_the_same(one: Expr, other: Expr) -> None:
    assert equal(one, other) is False
    assert equal(other, one) is False


def test_what_depends_on_something_unknown_is_not_told_apart() -> None:
    assert equal(B, UNKNOWN) is None
    assert equal(Expr("+", B, UNKNOWN), B) is None
    assert equal(Expr("%", B, number(0)), B) is None
    assert equal(Expr("+", UNKNOWN, B), Expr("+", B, UNKNOWN)) is True


def test_products_of_sizes_are_told_apart() -> None:
    assert equal(Expr("*", B, K), Expr("*", K, B)) is True
    assert equal(Expr("*", B, K), Expr("+", B, K)) is False
    assert equal(Expr("*", B, N), B) is False


def test_what_an_expression_is_made_of() -> None:
    made: Expr = Expr("+", Expr("*", B, K), Expr("//", UNKNOWN, TWO))
    assert list(made.roots) == [B, K, UNKNOWN]
    assert has_size(made)
    assert not has_size(Expr("+", K, TWO))
    assert not is_known(made)
    assert is_known(Expr("max", B, K, TWO))


def test_sizes_that_are_the_same_are_written_in_one_way() -> None:
    known = unified([(B, OTHER), (OTHER, Expr("*", N, TWO)), (N, number(8))])
    assert replaced(Expr("+", B, OTHER), known) == Expr("+", Expr("*", number(8), TWO), Expr("*", number(8), TWO))
    assert unified([(UNKNOWN, B)]) == {UNKNOWN: B}
    assert unified([(B, Expr("*", B, TWO)), (number(3), number(4))]) == {}


# ---------------------------------------------------------------- how small


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (B, LEAST),
        (number(7), 7),
        (Expr("+", B, number(3)), 5),
        (Expr("*", B, N), 4),
        (Expr("//", B, TWO), 1),
        (Expr("ceil", Expr("/", B, FOUR)), 1),
        (Expr("floor", Expr("/", B, FOUR)), 0),
        (Expr("max", K, number(3)), 3),
        (Expr("min", B, number(1)), 1),
        (Expr("-", B, TWO), None),
        (Expr("min", B, K), None),
        (Expr("%", B, TWO), None),
        (Expr("neg", B), None),
        (K, None),
        (UNKNOWN, None),
    ],
)
def test_least(expr: Expr, wanted: float | None) -> None:
    assert expr.low == wanted


# ---------------------------------------------------------------- as a person writes it


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (B, "x.shape[0]"),
        (Expr("*", B, TWO), "x.shape[0] * 2"),
        (Expr("*", Expr("+", B, N), K), "(x.shape[0] + x.shape[1]) * arg2"),
        (Expr("+", Expr("*", B, N), number(1)), "x.shape[0] * x.shape[1] + 1"),
        (Expr("//", Expr("-", B, number(1)), TWO), "(x.shape[0] - 1) // 2"),
        (Expr("max", B, UNKNOWN), "max(x.shape[0], …)"),
        (Expr("ceil", Expr("/", B, FOUR)), "ceil(x.shape[0] / 4)"),
    ],
)
def test_shown(expr: Expr, wanted: str) -> None:
    assert shown(expr, {"arg0": "x"}) == wanted


# ---------------------------------------------------------------- what torch decides

APPLY: dict[str, Any] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
}  # fmt: skip
SIDES: list[Expr] = [B, Expr("+", B, TWO), Expr("*", B, N), Expr("//", B, TWO), number(0), number(1), TWO, number(5)]


def in_torch(op: str, left: Expr, right: Expr) -> tuple[bool, bool]:
    """What torch answers for sizes of 12 and 18, and whether that holds for these alone."""
    import torch
    from torch._dynamo.source import ConstantSource
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

    env = ShapeEnv()
    context: Any = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC] * 2)
    mode = FakeTensorMode(shape_env=env)
    x = mode.from_tensor(torch.empty(12, 18), symbolic_context=context, source=ConstantSource("x"))

    def made(expr: Expr) -> Any:
        if expr[0] == "const":
            return expr[1]
        return x.shape[expr[2]] if expr[0] == "dim" else APPLY[expr[0]](made(expr[1]), made(expr[2]))

    answer = bool(APPLY[op](made(left), made(right)))
    return answer, bool(env.guards)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_what_is_decided_is_what_torch_decides_without_a_guard() -> None:
    wrong, guarded, decided_here = [], 0, 0
    for left, right in itertools.permutations(SIDES, 2):
        for op in ("==", "<", "<=", ">"):
            answer = decided(op, left, right)
            true, guard = in_torch(op, left, right)
            guarded += guard
            if answer is None:
                continue
            decided_here += 1
            if answer is not true or guard:
                wrong.append((op, left, right, answer, true, guard))
    assert wrong == []
    assert decided_here > 30
    assert guarded > 30
