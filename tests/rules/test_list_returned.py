"""AOTI408 and AOTI412: the list that an op is given is what it returns. Each was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """\
import torch
from typing import List

@torch.library.custom_op("mylib::doubled", mutates_args=())
def doubled(xs: List[torch.Tensor]) -> List[torch.Tensor]:
    return {kernel}

@doubled.register_fake
def _(xs):
    return {fake}
"""
NEW = "[torch.empty_like(x) for x in xs]"


@pytest.mark.parametrize(
    ("kernel", "fake", "told"),
    [
        ("[x * 2 for x in xs]", NEW, []),
        ("[x * 2 for x in xs]", "list(map(torch.empty_like, xs))", []),
        ("[x * 2 for x in xs]", "xs", [("AOTI408", 9)]),
        ("xs", NEW, [("AOTI412", 5)]),
    ],
)
def test_the_list_itself(kernel: str, fake: str, told: list[tuple[str, int]], tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"a.py": SCRIPT.format(kernel=kernel, fake=fake)}, torch="2.13")
    assert [(one.code, one.row) for one in found] == told
