"""One line exports several models: what is found in the forward of one is not told of another.

Each script was run on torch 2.13: what follows `build(Good())` works, and with `Bad` it raises.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import time
import torch
from torch._higher_order_ops import while_loop
from torch.export import Dim


class Bad(torch.nn.Module):
    def forward(self, x):
        return {bad}


class Good(torch.nn.Module):
    def forward(self, x):
        return {good}


def build(model, **options):
    return torch.export.export(model, (torch.randn(4, 4),), dynamic_shapes=({{0: Dim.AUTO}},), **options)


{first}
{second}
"""
CASES = [
    # What is the matter with the first, what is right in the second, how both are exported, what is done with both.
    ("while_loop(lambda y: y.sum() < 3, lambda y: (y + x,), (x,))",
     "while_loop(lambda y: y.sum() < 3, lambda y: (y + x,), (x.clone(),))", "", ".run_decompositions()", "AOTI343"),
    ("torch.cond(x.sum() > 0, lambda x: x + torch.tensor(1.0), lambda x: x - 1, (x,))",
     "torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))", "", ".run_decompositions()", "AOTI718"),
    ("x + time.time()", "x + 1", ", strict=True", "", "AOTI344"),
    ("torch.nested.nested_tensor([x]).sum()", "x.sum()", "", "", "AOTI719"),
    ("x.reshape(4, 4)", "x + 1", "", ".module()(torch.randn(5, 4))", "AOTI338"),
    ("x[:3] * 2", "x + 1", "", ".module()(torch.randn(2, 4))", "AOTI338"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "good", "options", "then", "code"), CASES)
def test_what_one_model_does_is_not_told_of_another(
    tmp_path: Path, bad: str, good: str, options: str, then: str, code: str
) -> None:
    def lines(first: str, second: str) -> list[tuple[str, int]]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        script = SCRIPT.format(bad=bad, good=good, first=first, second=second)
        found = lint_files(folder, {"script.py": script}, torch="2.13")
        return [(one.code, one.row) for one in found if one.code == code]

    of_bad, of_good = f"build(Bad(){options}){then}", f"build(Good(){options}){then}"
    if then or "strict" in options:
        assert lines("build(Bad())" if then else "build(Bad(), strict=False)", of_good) == []
    assert lines(of_good, of_good) == []
    told = lines(of_bad, of_good)
    assert len(told) == 1
    assert lines(of_good, of_bad) == [(code, line + (line == 21)) for code, line in told]
    assert len(lines("for one in Bad, Good:", f"    build(one(){options}){then}")) == 1
