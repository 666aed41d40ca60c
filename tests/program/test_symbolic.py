"""Expressions over sizes: what torch writes is read, printed and worked out as sympy and Python would."""

from __future__ import annotations

import math
import random

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Const, Dim, Expr, Op, Symbol, dims, evaluate, parse, python, replace, symbols

S = "Symbol('s77', positive=True, integer=True)"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (S, "s77"),
        ("Symbol('u0', integer=True)", "u0"),
        ("Integer(-3)", "-3"),
        (f"Mul(Integer(2), {S})", "2*s77"),
        (f"Add({S}, Integer(1))", "s77 + 1"),
        (f"Add({S}, Mul(Integer(-1), Symbol('s1')))", "s77 + (-1)*s1"),
        (f"FloorDiv({S}, Integer(2))", "s77//2"),
        (f"FloorDiv({S}, FloorDiv({S}, Integer(2)))", "s77//(s77//2)"),
        (f"Mul(Integer(4), FloorDiv({S}, Integer(2)))", "4*(s77//2)"),
        (f"Mod(Add({S}, Integer(1)), Integer(8))", "(s77 + 1) % 8"),
        (f"Pow({S}, Integer(2))", "s77**2"),
        (f"Max(Integer(1), {S})", "max(1, s77)"),
        (f"CeilToInt(IntTrueDiv({S}, Integer(3)))", "math.ceil(s77/3)"),
        ("Mul(Rational(1, 2), Symbol('s0'))", "1/2*s0"),
        (f"Where(Equality({S}, Integer(1)), Integer(2), {S})", "2 if s77 == 1 else s77"),
        ("2*s0 + 1", "2*s0 + 1"),
        ("((s0//2))", "s0//2"),
        ("s0 - 1", "s0 - 1"),
        ("L['x'].size()[0] % 2 == 0", "x.shape[0] % 2 == 0"),
        ("(4*L['x'].size()[0]) == (8*(L['x'].size()[0] // 2))", "4*x.shape[0] == 8*(x.shape[0]//2)"),
        ("L['batch']['ids'][0].size()[1] >= 2", "batch['ids'][0].shape[1] >= 2"),
        ("L['x'].stride()[0] == 1", "x.stride(0) == 1"),
        ("L['k'] == 3", "k == 3"),
        ("2 <= L['x'].size()[0] and L['x'].size()[0] <= 64", "2 <= x.shape[0] and x.shape[0] <= 64"),
        ("2 <= L['x'].size()[0] <= 64", "2 <= x.shape[0] and x.shape[0] <= 64"),
        ("not (L['x'].size()[0] == 1)", "not x.shape[0] == 1"),
        ("SomethingNew(s0, 2)", "SomethingNew(s0, 2)"),
    ],
)
def test_printed(text: str, printed: str) -> None:
    assert python(parse(text)) == printed


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "(" * 500, "x" * 50_000, "f'{x}'", "lambda: 0", "[1, 2]", "'text'", "(" * 5000 + "1" + ")" * 5000],
)
def test_no_expression(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)


def test_nothing_is_evaluated_while_reading() -> None:
    expr = parse("print(1)")
    assert isinstance(expr, Op)
    assert evaluate(expr, {}) is None


def test_values_are_those_of_python() -> None:
    """Random expressions, printed, give in Python what `evaluate` gives."""
    numbers = random.Random(7)
    names = ["s0", "s1", "s2"]

    def made(depth: int) -> Expr:
        if depth == 0 or numbers.random() < 0.2:
            return Const(numbers.randint(-4, 9)) if numbers.random() < 0.5 else Symbol(numbers.choice(names))
        name = numbers.choice(
            ["+", "*", "-", "//", "%", "max", "min", "==", "<", ">=", "neg", "and", "or", "not", "where"]
        )
        count = {"neg": 1, "not": 1, "where": 3, "+": numbers.randint(2, 4), "*": 3}.get(name, 2)
        return Op(name, tuple(made(depth - 1) for _ in range(count)))

    compared = 0
    for _ in range(3000):
        expr = made(4)
        values: dict[Expr, int | float | bool] = {Symbol(name): numbers.randint(1, 30) for name in names}
        ours = evaluate(expr, values)
        plain = {symbol.name: value for symbol, value in values.items() if isinstance(symbol, Symbol)}
        try:
            theirs = eval(python(expr), {"max": max, "min": min, "math": math, **plain})
        except ZeroDivisionError:
            assert ours is None, python(expr)
            continue
        compared += 1
        assert ours == theirs, python(expr)
        again = parse(python(expr))
        assert evaluate(again, values) == ours, python(expr)
    assert compared > 2000


def test_names() -> None:
    expr = parse("L['x'].size()[0] * s0 + FloorDiv(s1, 2)")
    assert symbols(expr) == {"s0", "s1"}
    assert dims(expr) == {Dim("x", 0)}
    assert python(replace(expr, lambda e: Const(3) if e == Dim("x", 0) else None)) == "3*s0 + s1//2"


def test_large_powers_are_not_worked_out() -> None:
    assert evaluate(parse("2**9999999999"), {}) is None
