"""The example inputs of an export to ONNX are a tuple, or one tensor."""

import io

import torch

buffers = io.BytesIO(), io.BytesIO()
torch.onnx.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),), buffers[0])
torch.onnx.export(torch.nn.Linear(10, 2).eval(), torch.randn(8, 10), buffers[1])
print("bytes", all(len(buffer.getvalue()) > 0 for buffer in buffers))
