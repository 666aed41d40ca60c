"""A scripted model is exported to ONNX with TorchScript, and what it was scripted from with torch.export."""

import io

import torch

model, inputs, buffers = torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),), (io.BytesIO(), io.BytesIO())
torch.onnx.export(torch.jit.script(model), inputs, buffers[0], dynamo=False)
torch.onnx.export(model, inputs, buffers[1])
print("bytes", all(len(buffer.getvalue()) > 0 for buffer in buffers))
