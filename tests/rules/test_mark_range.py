"""AOTI525: the range of a marked size. Each case was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

@torch.compile(backend="eager"{how})
def double(x):
    return x * 2

x = torch.randn({sizes})
torch._dynamo.mark_dynamic(x, {marks})
{call}
"""
RAISES = [
    ("4, 3", "0, min=2"),
    ("4, 3", "0, max=9"),
    ("4, 3", "0, min=5, max=8"),
    ("1, 3", "0, min=1, max=8"),
    ("0, 3", "0, min=0, max=8"),
    ("4, 3", "0, min=8, max=2"),
    ("4, 3", "[0, 1], min=4, max=8"),
    ("1, 3", "0, min=2, max=2"),
    ("4, 3", "(0, 1), min=4, max=8"),
]
FINE = [
    ("4, 3", "0"),
    ("1, 3", "0"),
    ("4, 3", "0, min=2, max=8"),
    ("4, 3", "0, min=4, max=4"),
    ("1, 3", "0, min=1, max=1"),
    ("4, 3", "-2, min=5, max=8"),
    ("4, 3", "7, min=2"),
    ("4, 3", "0, min=None, max=None"),
    ("4, 3", "0, min=1, max=8"),
    ("4, 3", "[0, 1], min=2, max=8"),
]


@pytest.mark.parametrize(("sizes", "marks"), [*RAISES, *FINE])
def test_said(sizes: str, marks: str, tmp_path: Path) -> None:
    cases = {
        ("", "double(x)"): True,
        (", dynamic=True", "double(x)"): True,
        (", disable=True", "double(x)"): False,
        ("", "try:\n    double(x)\nexcept Exception:\n    pass"): False,
        ("", "double(torch.randn(4, 3))"): False,
    }
    for number, ((how, call), raises) in enumerate(cases.items()):
        script = SCRIPT.format(how=how, sizes=sizes, marks=marks, call=call)
        found = [item.code for item in lint_files(tmp_path / f"run{number}", {"script.py": script}, torch="2.13")]
        assert found == ["AOTI525"] * (raises and (sizes, marks) in RAISES)


def test_each_mark_holds(tmp_path: Path) -> None:
    script = SCRIPT.format(how="", sizes="4, 3", marks="0, min=2, max=8", call="{}\ndouble(x)")
    marks = {"0, min=5, max=8": True, "1, min=2, max=8": False, "0, min=3, max=9": False, "0": False}
    for number, (again, raises) in enumerate(marks.items()):
        files = {"script.py": script.format(f"torch._dynamo.mark_dynamic(x, {again})")}
        found = [item.code for item in lint_files(tmp_path / f"run{number}", files, torch="2.13")]
        assert found == ["AOTI525"] * raises
