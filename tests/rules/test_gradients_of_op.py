"""AOTI424: how many gradients the backward function of an op returns. Each case was run with torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

@torch.library.custom_op("mylib::scale", mutates_args=())
def scale({inputs}) -> torch.Tensor:
    return x * 2

def backward(ctx, grad):
    {body}

{register}
"""
THREE = "x: torch.Tensor, low: float, high: float"
METHOD = "scale.register_autograd(backward)"
FUNCTION = "torch.library.register_autograd('mylib::scale', {})"


@pytest.mark.parametrize(
    ("inputs", "body", "register", "wrong"),
    [
        (THREE, "return grad * 2, None", METHOD, True),
        (THREE, "return (grad * 2,)", METHOD, True),
        (THREE, "return [grad, None, None]", METHOD, True),
        (THREE, "ctx.seen = 1", METHOD, False),
        (THREE, "return", METHOD, True),
        (THREE, "if ctx.saved_tensors:\n        return grad, None\n    return grad, None, None", METHOD, True),
        (THREE, "return grad, None", FUNCTION.format("backward"), True),
        (THREE, "return grad, None", FUNCTION.format("lambda ctx, grad: (grad, None)"), True),
        (THREE, "return grad * 2, None, None", METHOD, False),
        (THREE, "return grad * 2, None, None, None", METHOD, False),
        (THREE, "return (grad, *[None] * 2)", METHOD, False),
        (THREE, "return (grad,) + (None, None)", METHOD, False),
        (THREE, "def inner():\n        return grad, None\n    return (*inner(), None)", METHOD, False),
        (THREE, "return grad, None", FUNCTION.format("lambda ctx, grad: (grad, None, None)"), False),
        ("x: torch.Tensor", "return grad", METHOD, False),
        ("x: torch.Tensor, low: float, *, high: float", "return grad, None", METHOD, False),
        ("x: torch.Tensor, low: float, high: float = 1.0", "return grad, None", METHOD, False),
        ("x: list[torch.Tensor]", "return [grad, grad]", METHOD, False),
    ],
)
def test_said(inputs: str, body: str, register: str, wrong: bool, tmp_path: Path) -> None:
    script = SCRIPT.format(inputs=inputs, body=body, register=register)
    found = lint_files(tmp_path / "run", {"op.py": script}, torch="2.13")
    assert ("AOTI424" in [item.code for item in found]) == wrong
