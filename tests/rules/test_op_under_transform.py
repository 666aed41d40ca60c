"""AOTI425: custom ops in functions that `torch.func` differentiates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.func import grad

{op}

def loss(x, y=None):
    return twice(x).sum()

x = torch.randn(3)
{call}
"""
CUSTOM = """@torch.library.custom_op("t::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2

twice.register_autograd(lambda ctx, grad: grad * 2)"""
PLAIN = "def twice(x): return x * 2"
FUNCTION = """class Twice(torch.autograd.Function):
    @staticmethod
    def forward(x): return x * 2
    @staticmethod
    def setup_context(ctx, inputs, output): pass
    @staticmethod
    def backward(ctx, grad): return grad * 2
twice = Twice.apply"""


def told(folder: Path, call: str, op: str = CUSTOM) -> list[str]:
    text = SCRIPT.replace("{op}", op).replace("{call}", call)
    found = lint_files(folder / "run", {"net.py": text})
    return [one.message.split(" cannot")[0] for one in found if one.code == "AOTI425"]


@pytest.mark.parametrize(
    ("call", "transform"),
    [
        ("grad(loss)(x)", "grad"),
        ("step = torch.func.grad_and_value(loss, argnums=0)\nstep(x, y=1)", "grad_and_value"),
        ("torch.func.jacrev(twice)(x)", "jacrev"),
        ("if __name__ == '__main__':\n    grad(loss)(x)", "grad"),
        ("torch.func.hessian(lambda x: loss(x) ** 2)(x)", "hessian"),
        ("_, pull = torch.func.vjp(twice, x)", "vjp"),
        ("@torch.func.grad\ndef f(x):\n    return torch.ops.t.twice(x).sum()\nf(x)", "grad"),
    ],
)
def test_differentiated(tmp_path: Path, call: str, transform: str) -> None:
    assert told(tmp_path, call) == [f"torch.func.{transform}"]


@pytest.mark.parametrize(
    "call",
    [
        "loss(x)",
        "torch.func.vmap(twice)(x)",
        "step = grad(loss)\nloss(x)",
        "grad(torch.sum)(x)\nloss(x)",
        "try:\n    grad(loss)(x)\nexcept RuntimeError:\n    pass",
    ],
)
def test_not_differentiated(tmp_path: Path, call: str) -> None:
    assert told(tmp_path, call) == []


@pytest.mark.parametrize("op", [PLAIN, FUNCTION])
def test_no_custom_op(tmp_path: Path, op: str) -> None:
    assert told(tmp_path, "grad(loss)(x)", op) == []
