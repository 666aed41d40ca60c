"""AOTI414: names that a module gives to types, in the annotations of a custom operator. torch takes each of these."""

from __future__ import annotations

from pathlib import Path

from tests.judging import lint_files

SCRIPT = """from typing import List, Optional, Union
import torch
from torch import Tensor

Maybe = Optional[Tensor]
Either = Union[Tensor, None]
Sizes = List[int]

@torch.library.custom_op("shop::some", mutates_args=())
def some(x: Tensor, mask: Maybe, other: Either, sizes: Sizes) -> Tensor:
    return x.clone()

@some.register_fake
def _(x, mask, other, sizes):
    return torch.empty_like(x)
"""


def test_names_of_generic_types(tmp_path: Path) -> None:
    assert [one.code for one in lint_files(tmp_path / "run", {"op.py": SCRIPT})] == []


def test_the_generic_type_itself(tmp_path: Path) -> None:
    bare = SCRIPT.replace("mask: Maybe", "mask: Optional")
    assert [one.code for one in lint_files(tmp_path / "run", {"op.py": bare})] == ["AOTI414"]
