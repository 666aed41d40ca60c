"""AOTI348: gradients that an export does not see through. Each case was exported with torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.silu, self.tanh = nn.Linear(8, 8), nn.SiLU(), nn.Tanh()
        self.weight = nn.Parameter(torch.ones(8, 8))

    def forward(self, x, other):
        x = x.clone().requires_grad_(True)
        u = x * 1.0
        z = {expression}
        return torch.autograd.grad(z.sum(), {of})[0]

torch.export.export(Net().eval(), (torch.rand(4, 8) + 0.5, torch.rand(4, 8) + 0.5))
"""
RAISES = [
    "u.sqrt()", "u.exp()", "torch.sigmoid(u)", "F.relu(u)", "u.softmax(-1) * other", "u.norm(dim=-1)", "F.normalize(u)",
    "u.std(-1)", "(u - other).norm()", "torch.linalg.vector_norm(u)", "self.fc(u)", "self.tanh(u)",
    "F.layer_norm(u, (8,))", "F.linear(u, other[:, :8])", "self.silu(self.fc(u))", "F.cross_entropy(u, other)",
]  # fmt: skip
FINE = [
    "u.square()", "u.pow(0.5)", "u.log()", "u / other", "other / u", "F.silu(u)", "self.silu(u)", "F.gelu(u)",
    "u @ self.weight", "F.softplus(u)", "u.abs()", "u.sin()", "F.mse_loss(u, other)", "u * other.exp()",
    "u * self.fc(other)", "torch.where(other > 0, u, other)", "u + other.norm()",
]  # fmt: skip


@pytest.mark.parametrize("expression", [*RAISES, *FINE])
def test_said(expression: str, tmp_path: Path) -> None:
    script = SCRIPT.format(expression=expression, of="x")
    found = [item.code for item in lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")]
    assert found == ["AOTI348"] * (expression in RAISES)


def test_of_another_tensor(tmp_path: Path) -> None:
    """What the tensor does not go into needs no derivative."""
    script = SCRIPT.format(expression="u.square() + self.weight.exp()[:4]", of="[x]")
    assert not lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")
