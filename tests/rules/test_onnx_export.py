"""`torch.onnx.export(…, dynamo=True)` with `dynamic_shapes`: each line was run on torch 2.13 with onnxscript 0.7.2.

Those of `RAISED` raise `TorchExportError`, the others do not. There `dynamic_shapes` may have texts for `Dim`s.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import torch
from torch.export import Dim
class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y
class Nested(torch.nn.Module):
    def forward(self, d, p):
        return d["a"] + p[0]
b = Dim("b")
x = torch.randn(6, 8)
"""
RAISED = {
    "AOTI304": [
        'torch.onnx.export(Net(), (x, x + 1), "net.onnx", dynamo=True, dynamic_shapes={"x": {0: b}, "z": {0: b}})',
        'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: b}})',
    ],
    "AOTI305": [
        'torch.onnx.export(Nested(), ({"a": x}, (x,)), dynamo=True, dynamic_shapes=({"a": {0: b}},))',
    ],
    "AOTI308": [
        'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes=({0: Dim("c", max=4)}, {0: b}))',
    ],
}
RIGHT = [
    'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: b}, "y": {0: b}})',
    "torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes=({0: b}, {0: b}))",
    'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: "batch"}, "y": {0: "batch"}})',
    'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: b}, "y": {0: Dim("c")}})',
]


def said(folder: Path, line: str, torch: str = "2.13") -> list[tuple[str, str]]:
    made = lint_files(folder / "run", {"script.py": f"{HEAD}{line}\n"}, torch=torch)
    return [(one.code, one.severity) for one in made if one.severity != "info"]


@pytest.mark.parametrize(("code", "line"), [(code, line) for code, lines in RAISED.items() for line in lines])
def test_what_raises(code: str, line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == [(code, "error")]


@pytest.mark.parametrize("line", RIGHT)
def test_what_is_right(line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == []


def test_releases_that_were_not_run(tmp_path: Path) -> None:
    assert said(tmp_path, RAISED["AOTI304"][0], torch="2.7") == []
