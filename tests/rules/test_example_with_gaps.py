"""AOTI350: example inputs that are parts of larger tensors. Each was exported with torch 2.13."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2

export(Net(), ({example},), dynamic_shapes=({spec},), strict={strict})
"""
CASES = [
    ("torch.randn(2,9)[:, :7]", "{1: Dim('t')}", True),
    ("torch.randn(2,9)[:, :7]", "{1: Dim('t', max=8)}", False),
    ("torch.randn(2,9)[:, :7]", "{0: Dim('t')}", False),
    ("torch.randn(2,9)[:, :7]", "{0: Dim('b'), 1: Dim('t')}", True),
    ("torch.randn(6,3,16)[::2]", "{1: Dim('t')}", True),
    ("torch.randn(6,3,16)[::2]", "{1: Dim('t', max=5)}", False),
    ("torch.randn(6,3,16)[::2]", "{0: Dim('t')}", False),
    ("torch.randn(6,3,16)[::2]", "{2: Dim('t')}", True),
    ("torch.randn(5,6,16)[:, :3]", "{1: Dim('t')}", True),
    ("torch.randn(5,6,16)[:, :3]", "{0: Dim('t')}", False),
    ("torch.randn(5,6,16)[:, :3]", "{2: Dim('t')}", True),
    ("torch.randn(5,6,16)[:, :, :8]", "{2: Dim('t')}", True),
    ("torch.randn(5,6,16)[:, :, :8]", "{1: Dim('t')}", False),
    ("torch.randn(5,6,16)[:, :, :8]", "{0: Dim('t')}", False),
    ("torch.randn(5,6,16)[:, :, ::2]", "{2: Dim('t')}", False),
    ("torch.randn(5,6,16)[:, :, ::2]", "{1: Dim('t')}", False),
    ("torch.randn(9)[::2]", "{0: Dim('t')}", False),
    ("torch.randn(9)[:4]", "{0: Dim('t')}", False),
    ("torch.randn(4,8).t()", "{0: Dim('t')}", False),
    ("torch.randn(4,8).t()", "{1: Dim('t')}", False),
    ("torch.randn(2,9)[:, 1:8]", "{1: Dim('t')}", True),
    ("torch.randn(1,9)[:, :7]", "{1: Dim('t')}", False),
    ("torch.randn(3,3,8,8)[:, :2]", "{0: Dim('b')}", False),
    ("torch.randn(3,3,8,8)[:, :2]", "{1: Dim('c')}", True),
    ("torch.randn(3,3,8,8)[:, :, :4]", "{2: Dim('h')}", True),
    ("torch.randn(3,3,8,8)[:, :, :4]", "{3: Dim('w')}", True),
    ("torch.randn(3,3,8,8)[:, :, :, :4]", "{3: Dim('w')}", True),
    ("torch.randn(3,3,8,8)[..., :4]", "{2: Dim('h')}", False),
    ("torch.randn(3,3,8,8)[:2]", "{2: Dim('h')}", False),
    ("torch.randn(2,9)[:, :7]", "{1: Dim.AUTO}", False),
    ("torch.randn(2,9)[:, :7]", "{1: Dim.DYNAMIC}", False),
    ("torch.randn(2,10)[:, ::2]", "{1: Dim('t')}", False),
    ("torch.randn(3,4,6)[:, ::2]", "{1: Dim('t')}", False),
    ("torch.randn(3,4,6)[:, ::2]", "{2: Dim('t')}", True),
    ("torch.randn(7,4,6)[::2, :2]", "{1: Dim('t')}", True),
    ("torch.randn(7,4,6)[::2, :2]", "{0: Dim('t')}", False),
    ("torch.randn(7,4,6)[::2, :2]", "{2: Dim('t')}", True),
]


@pytest.mark.parametrize(("example", "spec", "raises"), CASES)
def test_said(example: str, spec: str, raises: bool, tmp_path: Path) -> None:
    for strict in (False, True):
        script = SCRIPT.format(example=example, spec=spec, strict=strict)
        said = lint_files(tmp_path / str(strict), {"run.py": script}, torch="2.13")
        assert [(one.code, one.severity) for one in said] == [("AOTI350", "error")] * (raises and not strict)


def test_torch_agrees() -> None:
    torch = pytest.importorskip("torch")
    for example, spec, raises in CASES:
        raised = False
        try:
            exec(SCRIPT.format(example=example, spec=spec, strict=False), dict[str, Any]())
        except torch._dynamo.exc.UserError:
            raised = True
        assert raised == raises, (example, spec)
