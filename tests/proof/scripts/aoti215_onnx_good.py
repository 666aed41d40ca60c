"""The model inside of what torch.compile gave is exported to ONNX through TorchScript."""

import io

import torch

model = torch.compile(torch.nn.Linear(10, 2).eval())
made = io.BytesIO()
torch.onnx.export(model._orig_mod, (torch.randn(8, 10),), made, dynamo=False)
print("bytes", len(made.getvalue()) > 0)
