"""Logs whose lines hold what the expressions of triage look for, again and again."""

from __future__ import annotations

import pytest

from aoti_lint.triage.cause import parts_of
from aoti_lint.triage.causes import FAMILIES
from aoti_lint.triage.diagnose import diagnose
from tests.hostile.child import within_bounds

MESSAGES = ["fake mode () from a", "The values of a =  and a = a", "Guard failed: size()[1]a"]


@pytest.mark.parametrize("message", MESSAGES)
def test_lines_full_of_beginnings(message: str) -> None:
    line = message * (4_000 // len(message))
    assert within_bounds(lambda: len(diagnose([line] * 500).causes)).isdecimal()


def test_tracebacks_above_every_line() -> None:
    frames = ['  File "' + "torch/" * 300 + 'x.py", line ' + "1" * 300 + ", in f\n"] * 400
    blank = [" " * 400] * 200
    lines = ["Traceback (most recent call last):", *frames, *blank]
    errors = ["TypeError: forward() missing 1 required positional argument: 'x'",
              "unsupported operand type(s) for +: 'NoneType' and 'int'"] * 200  # fmt: skip
    assert within_bounds(lambda: len(diagnose([*lines, *errors]).causes)).isdecimal()


def test_the_parts_of_expressions() -> None:
    assert parts_of(r"a.*b(?:c.*d|e).*f") == ("a", "b(?:c.*d|e)", "f")
    assert parts_of(r"a.*b|c") == (r"a.*b|c",)
    assert parts_of(r"a[.*]\.*\(.*") == (r"a[.*]\.*\(",)
    for family in FAMILIES:
        for cause in family.CAUSES:
            for pattern in cause.messages:
                assert parts_of(pattern)
