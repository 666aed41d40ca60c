"""With `dynamic_axes` a list is taken: torch makes a tuple of it as it makes dynamic shapes of them."""

import io

import torch

buffer = io.BytesIO()
model = torch.nn.Linear(10, 2).eval()
torch.onnx.export(model, [torch.randn(8, 10)], buffer, input_names=["x"], dynamic_axes={"x": {0: "batch"}})
print("bytes", len(buffer.getvalue()) > 0)
