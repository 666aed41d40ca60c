"""AOTI229: custom operators in exports to ONNX."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
@torch.library.custom_op("shop::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2
@twice.register_fake
def _(x):
    return torch.empty_like(x)
library = torch.library.Library("shop", "FRAGMENT")
library.define("explicit(Tensor x) -> Tensor")
library.impl("explicit", lambda x: x * 3, "CompositeExplicitAutograd")
library.define("implicit(Tensor x) -> Tensor")
library.impl("implicit", lambda x: x * 3, "CompositeImplicitAutograd")
library.define("elsewhere(Tensor x) -> Tensor")
class Net(torch.nn.Module):
    def __init__(self, call):
        super().__init__()
        self.call = call
    def forward(self, x):
        return self.call(x)
def to_onnx(call, **more):
    torch.onnx.export(Net(call), (torch.ones(4),), "net.onnx", **more)
"""
CASES = {
    "to_onnx(twice)": 1,
    "to_onnx(torch.ops.shop.twice, dynamo=True)": 1,
    "to_onnx(torch.ops.shop.explicit)": 1,
    "to_onnx(torch.ops.shop.implicit)": 0,
    "to_onnx(torch.ops.shop.elsewhere)": 0,
    "to_onnx(torch.ops.other.unheard)": 0,
    "to_onnx(torch.relu)": 0,
    "to_onnx(twice, dynamo=False)": 0,
    "to_onnx(twice, custom_translation_table={torch.ops.shop.twice.default: print})": 0,
    "try:\n    to_onnx(twice)\nexcept RuntimeError:\n    pass": 0,
    "torch.export.export(Net(twice), (torch.ones(4),))": 0,
}


@pytest.mark.parametrize(("body", "count"), CASES.items())
def test_said(body: str, count: int, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{SCRIPT}{body}\n"})
    assert [item.code for item in found].count("AOTI229") == count
