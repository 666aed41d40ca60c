"""Fakes beside kernels that work in several ways, or that only take some sizes.

Each that is fine here passes `torch.library.opcheck` of torch 2.13 with the sizes beside it; each other fails there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
from typing import Optional

import torch

"""
BY_SIZE = """
@torch.library.custom_op("shop::both", mutates_args=())
def both(x: torch.Tensor, gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    if x.shape[0] > 32:
        return torch.cat([x @ gate, x @ up], dim=-1)
    out = torch.empty((2, x.shape[0], gate.shape[1]), device=x.device, dtype=x.dtype)
    out[0] = x @ gate
    out[1] = x @ up
    return torch.cat([out[0], out[1]], dim=-1)

@both.register_fake
def _(x, gate, up):
    return torch.empty((x.shape[0], gate.shape[1] * 2), device=x.device, dtype=x.dtype)
"""
DTYPE_BY_SIZE = """
@torch.library.custom_op("shop::lens", mutates_args=())
def lens(x: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    if x.size(0) <= 64:
        return torch.zeros(of.shape, dtype=torch.int64, device=x.device)
    return of.clone()

@lens.register_fake
def _(x, of):
    return torch.empty(of.shape, dtype={}, device=x.device)
"""
DIVIDED = """
@torch.library.custom_op("shop::groups", mutates_args=())
def groups(x: torch.Tensor, size: int) -> torch.Tensor:
    {}
    return torch.zeros((x.shape[0], x.shape[1] // size), device=x.device)

@groups.register_fake
def _(x, size):
    return torch.empty((x.shape[0], {}), device=x.device)
"""
BY_ARGUMENT = """
@torch.library.custom_op("shop::rows", mutates_args=())
def rows(x: torch.Tensor, n: int) -> torch.Tensor:
    if n > 4:
        return torch.zeros((x.shape[0], x.shape[1] + 1), device=x.device)
    return x.clone()

@rows.register_fake
def _(x, n):
    return torch.empty_like(x)
"""
LAID_OUT = """
def work(q: torch.Tensor, layout: Optional[str] = "sbhd") -> torch.Tensor:
    b, s, h, d = q.size()
    if layout == "sbhd":
        return torch.ones((s, b, h, d), dtype=q.dtype, device=q.device).permute(1, 0, 2, 3)
    elif layout == "bhsd":
        return torch.ones((b, h, s, d), dtype=q.dtype, device=q.device).permute(0, 2, 1, 3)
    return torch.ones((b, s, h, d), dtype=q.dtype, device=q.device)

@torch.library.custom_op("shop::attend", mutates_args=())
def attend(q: torch.Tensor, layout: Optional[str] = "bshd") -> torch.Tensor:
    given = {"q": q, "layout": layout}
    if layout not in ["sbhd", "bshd", "bhsd"]:
        raise ValueError(layout)
    return work(**given)

@attend.register_fake
def _(q, layout="bshd"):
    b, s, h, d = q.shape
    if layout == "sbhd":
        return torch.empty((s, b, h, d), dtype=q.dtype, device=q.device).permute(1, 0, 2, 3)
    elif layout == "bhsd":
        return torch.empty((b, h, s, d), dtype=q.dtype, device=q.device).permute(ORDER)
    return torch.empty((b, s, h, d), dtype=q.dtype, device=q.device)
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BY_SIZE, set()),
        (BY_SIZE.replace("gate.shape[1] * 2", "gate.shape[1] + 2"), {"AOTI404"}),
        (DTYPE_BY_SIZE.format("torch.int64"), set()),
        (DTYPE_BY_SIZE.format("torch.float16"), {"AOTI405"}),
        (DIVIDED.format("assert x.shape[-1] % size == 0", "(x.shape[1] + size - 1) // size"), set()),
        (DIVIDED.format("torch._check(x.shape[1] % size == 0)", "(x.shape[1] + size - 1) // size"), set()),
        (DIVIDED.format("pass", "(x.shape[1] + size - 1) // size"), {"AOTI404"}),
        (DIVIDED.format("assert x.shape[-1] % size == 0", "x.shape[1] // size + 1"), {"AOTI404"}),
        (BY_ARGUMENT, {"AOTI404", "AOTI405"}),
        (LAID_OUT.replace("ORDER", "0, 2, 1, 3"), set()),
        (LAID_OUT.replace("permute(ORDER)", "transpose(1, 2).contiguous()"), {"AOTI422"}),
    ],
)
def test_as_opcheck_says(text: str, said: set[str], tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"ops.py": HEAD + text})
    assert {one.code for one in found} & {"AOTI404", "AOTI405", "AOTI422"} == said
