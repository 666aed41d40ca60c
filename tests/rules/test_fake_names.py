"""Names that a fake uses: what nothing binds where the fake can see it, and what only looks so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

PROGRAM = """import torch
{before}
@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    rows = x.shape[0]
    return x.new_zeros((rows, 4))

@op.register_fake
def _(x, *more):
    {fake}
{after}
"""
WRONG = {
    "by itself": "return x.new_empty((row, 4))",
    "an argument": "return x.new_empty(max(row, 1), 4)",
    "the last argument": "return torch.full_like(x, row)",
    "a keyword argument": "return torch.empty_like(x, dtype=row)",
    "under a star": "return x.new_empty((*row,))",
    "under a star of a call": "return x.new_empty(*row)",
    "under two stars": "return torch.empty_like(x, **row)",
    "an attribute of it": "return x.new_empty(row.shape)",
    "an item of it": "return x.new_empty((row[0], 4))",
    "a function": "return x.new_empty((row(x), 4))",
    "in a lambda": "torch._check(x.dim() == 2, lambda: row)\n    return (lambda: x.new_empty((row, 4)))()",
    "in a branch": "if x.dim() == 2:\n        return x.new_empty((row, 4))",
}
RIGHT = {
    "bound later": ("", "row = 4"),
    "bound in a branch": ("if torch.cuda.is_available():\n    row = 4", ""),
    "bound by a loop": ("for row in ():\n    pass", ""),
    "bound by with": ("with open('a') as row:\n    pass", ""),
    "bound by except": ("try:\n    pass\nexcept ImportError as row:\n    pass", ""),
    "imported": ("from somewhere import row", ""),
    "imported by another name": ("import somewhere as row", ""),
    "imported with others": ("from somewhere import *", ""),
    "a global": ("def set_row():\n    global row\n    row = 4", ""),
    "a name in a text": ("globals().update({'row': 4})", ""),
    "set on the module": ("import sys\nsetattr(sys.modules[__name__], 'row', 4)", ""),
    "run": ("exec(open('a.py').read())", ""),
    "walrus": ("print(row := 4)", ""),
    "match": ("match 4:\n    case row:\n        pass", ""),
    "a class": ("class row:\n    pass", ""),
}


def found(folder: Path, before: str, fake: str, after: str = "") -> list[int]:
    """The lines of AOTI411, counted in the fake."""
    text = PROGRAM.format(before=before, fake=fake, after=after)
    start = text[: text.index("def _(x")].count("\n") + 1
    return [one.row - start for one in lint_files(folder / "run", {"ops.py": text}) if one.code == "AOTI411"]


@pytest.mark.parametrize("name", WRONG)
def test_a_name_that_nothing_binds(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, "", WRONG[name])[-1:] == [1 + WRONG[name].count("\n")]


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_that_something_binds(name: str, tmp_path: Path) -> None:
    before, after = RIGHT[name]
    assert found(tmp_path, before, "return x.new_empty((row, 4))", after) == []


def test_a_name_of_another_function_is_none_of_the_fake(tmp_path: Path) -> None:
    assert found(tmp_path / "kernel", "", "return x.new_empty((rows, 4))") == [1]
    assert found(tmp_path / "other", "def f(row):\n    return row", "return x.new_empty((row, 4))") == [1]
    assert found(tmp_path / "own", "", "row = 4\n    return x.new_empty((row, 4))") == []
    loop = "return x.new_empty([row for row in (3, 4)])"
    assert found(tmp_path / "comprehension", "", loop) == []


def test_a_fake_in_a_function_sees_what_that_binds(tmp_path: Path) -> None:
    text = """
import torch

def register(row):
    @torch.library.custom_op("lib::op", mutates_args=())
    def op(x: torch.Tensor) -> torch.Tensor:
        return x.new_zeros((row, column))

    @op.register_fake
    def _(x):
        return x.new_empty((row, column))

    column = 4
    return op

register(3)
"""
    assert [one for one in lint_files(tmp_path / "run", {"ops.py": text}) if one.code == "AOTI411"] == []
