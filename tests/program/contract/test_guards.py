"""Which conditions on sizes are left to check."""

from __future__ import annotations

import itertools

import pytest

from aoti_lint.program.contract.guards import essential
from aoti_lint.program.symbolic import Const, Dim, Expr, Symbol, evaluate, parse, python, replace

X, Y = Dim("x", 0), Dim("y", 0)


def left(guards: list[str], x: str = "s0", y: str = "s1", low: int = 0, high: int | None = None) -> list[str]:
    """The conditions that are left where two dims are `x` and `y`, and the symbols lie in a range."""
    sizes = {X: parse(x), Y: parse(y)}
    bounds: dict[Expr, tuple[int, int | None]] = {Symbol("s0"): (low, high), Symbol("s1"): (low, high)}
    return list(map(python, essential(map(parse, guards), sizes, bounds)))


HALVES = [
    "8*x.shape[0] == 16*(x.shape[0]//2)", "x.shape[0]//2 != x.shape[0]", "x.shape[0] % (x.shape[0]//2) == 0",
    "x.shape[0]//(x.shape[0]//2) == 2", "8*(x.shape[0]//2)*(x.shape[0]//(x.shape[0]//2)) >= 2",
    "x.shape[0]//(x.shape[0]//2) != 1", "x.shape[0]//2 != 1",
]  # fmt: skip
"""What torch 2.13 writes down for `x.view(x.shape[0] // 2, 2, 8)`."""


def test_a_view_that_halves_a_dim_has_seven_conditions_that_say_even_and_four_or_more() -> None:
    assert left(HALVES) == ["x.shape[0] % 2 == 0", "x.shape[0] >= 4"]


@pytest.mark.parametrize(
    ("guard", "wanted"),
    [
        ("x.shape[0] == x.shape[0]", []),
        ("x.shape[0] >= 0", []),
        ("2*x.shape[0] >= x.shape[0]", []),
        ("x.shape[0] != 1", ["x.shape[0] != 1"]),
        ("x.shape[0] != 0", ["x.shape[0] >= 1"]),
        ("-1 + x.shape[0] > 2", ["x.shape[0] >= 4"]),
        ("3*x.shape[0] < 10", ["x.shape[0] <= 3"]),
        ("3*x.shape[0] == 10", ["x.shape[0] < 0"]),
        ("8*x.shape[0] % 32 == 0", ["x.shape[0] % 4 == 0"]),
        ("x.shape[0] + y.shape[0] < 40", ["x.shape[0] + y.shape[0] < 40"]),
        ("x.shape[0] == 2*y.shape[0] - 1", ["2*y.shape[0] == x.shape[0] + 1"]),
        ("x.shape[0] > 3 and y.shape[0] != 0", ["x.shape[0] >= 4", "y.shape[0] >= 1"]),
        ("max(x.shape[0], 3) == 3", ["max(x.shape[0], 3) == 3"]),
    ],
)
def test_one_condition(guard: str, wanted: list[str]) -> None:
    found = left([guard])
    assert sorted(found) == sorted(wanted) or _same(guard, found)


def _same(guard: str, found: list[str]) -> bool:
    """Whether conditions say the same for all small sizes, and are no more than the one."""
    values: list[dict[Expr, int | float | bool]] = [{X: a, Y: b} for a, b in itertools.product(range(30), repeat=2)]
    return len(found) == 1 and all(
        bool(evaluate(parse(guard), value)) == bool(evaluate(parse(found[0]), value)) for value in values
    )


def test_what_the_shapes_say_is_left_out() -> None:
    assert left(["2*x.shape[0] == y.shape[0]"], x="s0", y="2*s0") == []
    assert left(["x.shape[0] == -1 + y.shape[0]", "-1 + y.shape[0] != 1"], x="s0", y="s0 + 1") == ["x.shape[0] != 1"]
    assert left(["x.shape[0] > 3"], low=4) == []
    assert left(["x.shape[0] <= 64"], high=64) == []


GUARDS = [
    HALVES,
    ["x.shape[0] % 3 == 0", "x.shape[0]//3 != y.shape[0]"],
    ["x.shape[0] != 5", "x.shape[0] >= 2", "x.shape[0] != 2"],
    ["4*x.shape[0] == 12*(x.shape[0]//3)", "8*x.shape[0] % 16 == 0"],
    ["x.shape[0] % (y.shape[0]//2) == 0", "y.shape[0] % 2 == 0"],
    ["(x.shape[0]//4)*y.shape[0] > 6", "x.shape[0] % 4 == 0"],
    ["x.shape[0] % 3 == 0", "x.shape[0]//3 % (3*(x.shape[0]//3)) != 0"],
    ["x.shape[0] < y.shape[0]", "2*x.shape[0] > y.shape[0]", "-x.shape[0] + 7 >= 0"],
]


@pytest.mark.parametrize("guards", GUARDS, ids=str)
@pytest.mark.parametrize("y", ["s1", "s0", "2*s0", "s0 + 1"])
def test_nothing_is_lost_or_added(guards: list[str], y: str) -> None:
    found = left(guards, y=y)
    for a, b in itertools.product(range(40), repeat=2):
        symbols: dict[Expr, int | float | bool] = {Symbol("s0"): a, Symbol("s1"): b}
        sizes = {X: a, Y: evaluate(parse(y), symbols)}
        before, after = (
            all(
                _holds(parse(text), {dim: value for dim, value in sizes.items() if value is not None}) for text in texts
            )
            for texts in (guards, found)
        )
        assert before == after, (a, sizes[Y], found)


def _holds(expr: Expr, values: dict[Dim, int | float | bool]) -> bool:
    """A division by 0 does not hold."""
    return evaluate(replace(expr, lambda leaf: Const(values[leaf]) if isinstance(leaf, Dim) else None), {}) is True
