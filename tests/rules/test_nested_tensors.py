"""AOTI719 and AOTI317: nested tensors in a forward, and as example inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
def packed(*parts, layout=torch.strided):
    return torch.nested.nested_tensor(list(parts), layout=layout)
class Net(torch.nn.Module):
    def __init__(self, pack):
        super().__init__()
        self.pack = pack
    def forward(self, x):
        return packed(x, x).to_padded_tensor(0.0) if self.pack else x * 2
x, parts = torch.ones(3, 4), [torch.ones(2, 4), torch.ones(3, 4)]
"""
CASES = {
    "torch.export.export(Net(True), (x,))": ["AOTI719"],
    "torch.export.export(Net(True), (x,), strict=True)": ["AOTI719"],
    "torch.export.export(Net(False), (packed(*parts),))": ["AOTI317"],
    "torch.export.export(Net(False), ([packed(*parts)],))": ["AOTI317"],
    "torch.export.export(Net(False), (packed(*parts, layout=torch.jagged),), strict=True)": [],
    "torch.export.export(Net(False), (packed(*parts).to_padded_tensor(0.0),))": [],
    "torch.export.export(Net(False), (x,))\nNet(True)(x)": [],
    "try:\n    torch.export.export(Net(True), (x,))\nexcept RuntimeError:\n    pass": [],
    "torch.export.draft_export(Net(True), (x,))": [],
    "torch.onnx.export(Net(True), (x,), dynamo=True)": ["AOTI719"],
    "torch.onnx.export(Net(False), (x,), dynamo=True)": [],
    "try:\n    torch.onnx.export(Net(True), (x,), dynamo=True)\nexcept RuntimeError:\n    pass": [],
}


@pytest.mark.parametrize(("body", "codes"), CASES.items())
def test_said(body: str, codes: list[str], tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{SCRIPT}{body}\n"})
    assert [item.code for item in found] == codes
