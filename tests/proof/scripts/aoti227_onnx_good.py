"""An export to ONNX is given the path of a file, an object in memory, or an open file for the old exporter."""

import io
import os
import tempfile

import torch

model, inputs = torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),)
buffer = io.BytesIO()
torch.onnx.export(model, inputs, buffer)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "linear.onnx")
    torch.onnx.export(model, inputs, path)
    with open(path, "wb") as file:
        torch.onnx.export(model, inputs, file, dynamo=False)
    print("bytes", os.path.getsize(path) > 0, len(buffer.getvalue()) > 0)
