"""What is worked out of an option of the command line."""

from __future__ import annotations

import pytest

from aoti_lint.values.judge import expand
from aoti_lint.values.values import Choice, Const, Sym, Unknown
from tests.snippets import run

OPTION = """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--rows", type=int, default=6)
rows = p.parse_args().rows
"""


@pytest.mark.parametrize(
    ("text", "usual"),
    [("2 * rows", 12), ("rows // 4", 1), ("rows - 2 * rows", -6), ("rows / 4", 1.5), ("rows % 4", 2)],
)
def test_what_is_worked_out_of_an_option_has_a_default(text: str, usual: float) -> None:
    value = run(f"{OPTION}value = {text}\n").value("value")
    assert isinstance(value, Sym)
    assert value.default == Const(usual)
    expanded = expand(value)
    assert isinstance(expanded, Choice)
    assert isinstance(expanded.other, Unknown)


def test_arithmetic_on_an_option_over_and_over_stays_short() -> None:
    value = run(f"{OPTION}a = b = rows\nfor _ in range(30):\n    a, b = a + b, b - a\n").value("a")
    assert len(repr(value)) < 1000


@pytest.mark.parametrize("text", ["rows // 0", "rows * unknown", "rows ** 2", "rows * 10**12"])
def test_what_cannot_be_worked_out_is_unknown(text: str) -> None:
    assert isinstance(run(f"from elsewhere import unknown\n{OPTION}value = {text}\n").value("value"), Unknown)


def test_the_same_arithmetic_of_an_option_is_the_same_value() -> None:
    ran = run(f"{OPTION}same = (2 * rows) == (2 * rows)\nother = (2 * rows) == (3 * rows)\n")
    assert ran.python("same") is True
    assert ran.python("other") is not True
