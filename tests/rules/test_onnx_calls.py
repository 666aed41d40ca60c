"""AOTI339: calls of models for ONNX. Each was run on torch 2.13 with onnxscript 0.7.2 and onnxruntime 1.32."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import numpy as np
import onnxruntime as ort
import torch

class Net(torch.nn.Module):
    def forward(self, x, y=None):
        return x * 2 if y is None else x + y

x = torch.randn(2, 8)
"""
PLAIN = 'model = torch.onnx.export(Net(), (x,), "net.onnx", dynamo=True)'
OPEN = 'model = torch.onnx.export(Net(), (x,), "net.onnx", dynamo=True, dynamic_shapes={"x": {0: "batch"}})'
NAMED = 'model = torch.onnx.export(Net(), (x,), "net.onnx", input_names=["input"], dynamo=True)'
BY_NAME = 'model = torch.onnx.export(Net(), (x,), "net.onnx", kwargs={"y": x + 1}, dynamo=True)'
RUN = 'session = ort.InferenceSession("net.onnx"); session.run(None, '
WRONG = [
    (PLAIN, "model(torch.randn(5, 8))"), (PLAIN, "model(torch.randn(8))"), (PLAIN, "model(torch.ones(2, 8).long())"),
    (OPEN, "model(torch.randn(5, 9))"), (BY_NAME, "model(x, torch.randn(3, 8))"), (BY_NAME, "model(x, y=x.double())"),
    (PLAIN, RUN + '{"x": torch.randn(5, 8).numpy()})'), (PLAIN, RUN + '{"x": np.zeros((2, 8))})'),
    (PLAIN, RUN + '{"input": x.numpy()})'), (NAMED, RUN + '{"x": x.numpy()})'),
    (PLAIN, RUN + "{session.get_inputs()[0].name: torch.randn(5, 8).numpy()})"),
    (OPEN, RUN + '{"x": torch.randn(5, 9).numpy()})'),
]  # fmt: skip
RIGHT = [
    (PLAIN, "model(torch.randn(2, 8))"), (OPEN, "model(torch.randn(5, 8))"), (BY_NAME, "model(x, y=x)"),
    (BY_NAME, "model(x, x)"), (PLAIN, RUN + '{"x": np.zeros((2, 8), np.float32)})'),
    (NAMED, RUN + '{"input": x.numpy()})'), (OPEN, RUN + "{session.get_inputs()[0].name: torch.randn(5, 8).numpy()})"),
    (PLAIN, "try:\n    model(torch.randn(5, 8))\nexcept Exception as error:\n    print(error)"),
]  # fmt: skip


@pytest.mark.parametrize(("export", "call"), [*WRONG, *RIGHT])
def test_said(export: str, call: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"net.py": f"{HEAD}{export}\n{call}\n"}, torch="2.13")
    assert [item.code for item in found] == ["AOTI339"] * ((export, call) in WRONG)


@pytest.mark.parametrize(
    "changed",
    [
        "model.model.graph.inputs[0].shape = None",
        "onnx.save(made_dynamic(), 'net.onnx')",
        "make_dynamic(model); model.save('net.onnx')",
    ],
)
def test_a_model_that_was_changed(changed: str, tmp_path: Path) -> None:
    """It may take other sizes since."""
    run = 'session = ort.InferenceSession("net.onnx")\nsession.run(None, {"x": torch.randn(5, 8).numpy()})\n'
    script = f"import onnx\nfrom other import made_dynamic, make_dynamic\n{HEAD}{PLAIN}\n{changed}\n{run}"
    assert not lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")
