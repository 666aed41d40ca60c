"""AOTI232: functions with a `symbolic` that the exporter to ONNX does not ask for."""

from __future__ import annotations

from pathlib import Path

from tests.judging import lint_files

SCRIPT = """import torch
from torch.autograd import Function

class Base(Function):
    @staticmethod
    def symbolic(g, x):
        return g.op("TRT::Some", x)

class Stand(Base):
    @staticmethod
    def forward(ctx, x):
        return x.new_zeros(4)

class Plain(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

class Net(torch.nn.Module):
    def forward(self, x):
        return {call}

{export}
"""
EXPORT = "torch.onnx.export(Net(), (torch.randn(4),), 'net.onnx', dynamo=True)"


def told(folder: Path, call: str, export: str = EXPORT) -> list[str]:
    found = lint_files(folder / "run", {"net.py": SCRIPT.format(call=call, export=export)}, torch="2.13")
    return [f"{one.severity} {one.row}" for one in found if one.code == "AOTI232"]


def test_a_symbolic_that_is_inherited(tmp_path: Path) -> None:
    assert told(tmp_path, "Stand.apply(x) + 1") == ["warning 21"]


def test_a_function_without(tmp_path: Path) -> None:
    assert told(tmp_path, "Plain.apply(x)") == []


def test_exports_that_ask_or_are_none(tmp_path: Path) -> None:
    assert told(tmp_path / "old", "Stand.apply(x)", EXPORT.replace("True", "False")) == []
    assert told(tmp_path / "torch", "Stand.apply(x)", "torch.export.export(Net(), (torch.randn(4),))") == []
    assert told(tmp_path / "called", "Stand.apply(x)", "Net()(torch.randn(4))") == []
