"""AOTI353: what Python decides in a forward that is exported to ONNX with `dynamo=False`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import math
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        {forward}
        return x

torch.onnx.export(Net(), (torch.ones(2, 3),), "net.onnx", {options})
"""
AXES = 'input_names=["x"], dynamic_axes={"x": {0: "batch"}}'
BAKED = {
    "a branch": "x = x * 2 if x.mean() > 0 else x",
    "a branch on a number": "if x.max().item() > 1:\n            x = x * 2",
    "a size made a number": "x = x.new_ones(int(x.shape[0]), 3) + x",
    "a length": "x = x / len(x)",
    "a float": "x = x / float(x.shape[0])",
    "rounds": "x = torch.stack([x[i].sum() for i in range(x.shape[0])])",
    "rows": "x = torch.stack([row.sum() for row in x])",
    "a value": "x = x * float(x.max())",
    "a function of math": "x = x * math.exp(x.max())",
    "where nothing compiles": "if not torch.compiler.is_compiling() and x.max() > 0:\n            x = x * 2",
    "a size of values": "if x[x > 0].shape[0] > 2:\n            x = x * 2",
}
KEPT = {
    "a size": "x = x / x.shape[0]",
    "a view": "x = x.view(x.shape[0], -1)",
    "a part": "x = x.reshape(x.shape[0] // 2, -1)",
    "where": "x = torch.where(x.mean() > 0, x * 2, x)",
    "a check": 'if x.min() < 0:\n            raise ValueError("negative")',
    "an assertion": "assert x.max() < 10",
    "a fixed size": "x = x.new_ones(int(x.shape[1])) + x",
    "not while it is traced": "if not torch.jit.is_tracing() and x.max() > 0:\n            x = x * 2",
    "not for ONNX": "if not torch.onnx.is_in_onnx_export() and x.max() > 0:\n            x = x * 2",
    "layers": "for _ in range(3):\n            x = x * 2",
}


def told(folder: Path, forward: str, options: str) -> list[int]:
    script = SCRIPT.format(forward=forward, options=options)
    found = lint_files(folder / "run", {"net.py": script}, torch="2.13")
    return [one.row for one in found if one.code == "AOTI353" and str(one.severity) == "warning"]


@pytest.mark.parametrize("name", BAKED)
def test_what_the_file_keeps_of_the_example(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, BAKED[name], f"{AXES}, dynamo=False") == [6]


@pytest.mark.parametrize("name", KEPT)
def test_what_stays_dynamic(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, KEPT[name], f"{AXES}, dynamo=False") == []


def test_which_exports_trace(tmp_path: Path) -> None:
    """Without `dynamic_axes` no size varies; the values do."""
    assert told(tmp_path / "static", BAKED["a length"], "dynamo=False") == []
    assert told(tmp_path / "values", BAKED["a branch"], "dynamo=False") == [6]
    assert told(tmp_path / "export", BAKED["a branch"], AXES) == []
