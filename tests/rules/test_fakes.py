"""Fakes and kernels that look wrong and are right, and the same with one line that is wrong.

`fakes.txt` has them, each under a name. A line that ends in `# CODE: other line` is right as it stands; the other line
in its place is what the rule speaks of, there or (`CODE@-1`) so many lines from there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.judging import Found, lint_files

HEAD = """import functools
import math
from typing import Optional
import torch
"""
DECORATOR = '@torch.library.custom_op("lib::op", mutates_args=())'
TEXT = Path(__file__).with_name("fakes.txt").read_text(encoding="utf-8")


class Pair(NamedTuple):
    """A right program, the wrong one, and what has to be found in that: code and line."""

    right: str
    wrong: str
    code: str
    line: int


def pair(text: str) -> Pair:
    """The two programs of a block."""
    lines = f"{HEAD}{text}".replace("\n@op\n", f"\n{DECORATOR}\n").splitlines()
    [(at, found)] = [
        (i, m) for i, line in enumerate(lines) if (m := re.search(r"  # (AOTI\d+)(?:@(-?\d+))?: (.*)$", line))
    ]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    right = [*lines[:at], lines[at][: found.start()], *lines[at + 1 :]]
    wrong = [*lines[:at], indent + found[3], *lines[at + 1 :]]
    return Pair("\n".join(right) + "\n", "\n".join(wrong) + "\n", found[1], at + 1 + int(found[2] or 0))


PAIRS = {name: pair(body) for name, _, body in (b.partition("\n") for b in f"\n{TEXT}".split("\n=== ")[1:])}


def said(folder: Path, text: str) -> list[Found]:
    """What is said of a program, without advice."""
    return [found for found in lint_files(folder, {"ops.py": text}) if found.severity != "info"]


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_right_is_left_alone(name: str, tmp_path: Path) -> None:
    # That an op which returns its argument cannot be compiled has nothing to do with its fake.
    found = [one for one in said(tmp_path / "run", PAIRS[name].right) if one.code != "AOTI427"]
    assert list(map(str, found)) == []


@pytest.mark.parametrize("name", PAIRS)
def test_the_wrong_line_is_found(name: str, tmp_path: Path) -> None:
    found = said(tmp_path / "run", PAIRS[name].wrong)
    assert [(one.code, one.row) for one in found] == [(PAIRS[name].code, PAIRS[name].line)], found
