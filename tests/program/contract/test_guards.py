"""Which conditions on sizes are left to check."""

from __future__ import annotations

import itertools
import re

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


PATCHES = [
    "3*w*h == 192*(w//8)*(h//8)", "h//8 != h", "h % (h//8) == 0", "h//(h//8) == 8", "w//8 != w", "w % (w//8) == 0",
    "w//(w//8) == 8", "3*(w//8)*(w//(w//8))*(h//8)*(h//(h//8)) >= 2", "w//(w//8) != 1", "w//8 != 1", "h//(h//8) != 1",
    "w == w//8*(w//(w//8))", "h//8 != 1", "w*(h//(h//8)) == w//8*(w//(w//8))*(h//(h//8))",
    "w*h == w//8*(w//(w//8))*(h//8)*(h//(h//8))", "w != w//(w//8)", "w != max(1, w//(w//8))",
    "3*(w//8)*(w//(w//8))*(h//8)*(h//(h//8)) != 0", "1 < w//(w//8)", "192 >= w//(w//8)",
    "w//8*(w//(w//8))*(h//8)*(h//(h//8))//64 != 1", "192 != w//(w//8)", "max(1, w//(w//8)) == w//(w//8)",
    "w//8*(w//(w//8))*(h//8)*(h//(h//8))//64 != h//8", "h//8 % (w//8*(w//(w//8))*(h//8)*(h//(h//8))//64) != 0",
    "w//8 != 0", "h//8 != 0", "w//8*(h//8) != 0", "w//(w//8) != 0", "3*(h//(h//8)) % 192 != 0",
    "3*(w//(w//8))*(h//(h//8)) % 192 == 0", "h//(h//8) != 0", "3*(w//(w//8))*(h//(h//8)) == 192",
    "3*(w//(w//8))*(h//(h//8)) != 1", "w//8*(h//8) != 1",
    "max(1, w//(w//8))*max(1, h//(h//8)) == w//(w//8)*(h//(h//8))",
    "w//8 == 1 or h//8 == 1 or 3*max(1, w//8)*max(1, w//(w//8)) == 3*(w//8)*max(1, w//(w//8))",
    "min(3*max(1, w//(w//8)), 3*max(1, w//8)*max(1, w//(w//8))) == 3*(w//(w//8))",
]  # fmt: skip
"""What torch 2.13 writes down for `x.reshape(c, h // 8, 8, w // 8, 8)` and the strides after it."""


STAGES = [
    "h >= 4", "w >= 4", "w//4 != 1", "h//4 != 1", "max(1, w//4)*max(1, h//4) != 1", "h//4*max(1, w//4) > 1",
    "w//4 > 1", "h//4 > 1", "max(1, w//4) < max(1, w//4)*max(1, h//4)", "1 % (160*(w//4)) != 0",
    "1 % (40*(w//4)) != 0", "max(1, w//8) < max(1, w//8)*max(1, h//8)", "max(1, w//8) > 1", "1 % (320*(w//8)) != 0",
    "1 % (80*(w//8)) != 0", "max(1, w//16) < max(1, w//16)*max(1, h//16)", "max(1, w//16) > 1",
    "1 % (640*(w//16)) != 0", "1 % (160*(w//16)) != 0", "max(1, w//32) < max(1, w//32)*max(1, h//32)",
    "max(1, w//32) > 1", "1 % (1280*(w//32)) != 0", "1 % (320*(w//32)) != 0",
]  # fmt: skip
"""Of a timm convnext whose height and width are 64 or more."""


def _spelt(guards: list[str]) -> list[str]:
    return [re.sub(r"\bw\b", "x.shape[0]", re.sub(r"\bh\b", "y.shape[0]", guard)) for guard in guards]


def test_views_into_patches_say_divisible_and_two_or_more_of_them() -> None:
    assert left(_spelt(PATCHES)) == [
        "x.shape[0] % 8 == 0", "y.shape[0] % 8 == 0", "x.shape[0] >= 16", "y.shape[0] >= 16",
    ]  # fmt: skip


def test_sizes_after_strides_follow_from_the_least_size() -> None:
    assert left(_spelt(STAGES), low=64) == []


@pytest.mark.parametrize("guards", [PATCHES, STAGES])
@pytest.mark.parametrize("low", [0, 9, 64])
def test_what_is_left_means_the_same(guards: list[str], low: int) -> None:
    conditions = [list(map(parse, texts)) for texts in (_spelt(guards), left(_spelt(guards), low=low))]
    for values in itertools.product(range(low, low + 30), repeat=2):
        sizes: dict[Expr, int | float | bool] = dict(zip((X, Y), values, strict=True))
        whole, rest = (all(evaluate(condition, sizes) for condition in part) for part in conditions)
        assert whole == rest, values
