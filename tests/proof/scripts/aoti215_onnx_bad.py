"""What torch.compile gave is exported to ONNX through TorchScript."""

import io

import torch

model = torch.compile(torch.nn.Linear(10, 2).eval())
torch.onnx.export(model, (torch.randn(8, 10),), io.BytesIO(), dynamo=False)  # <- AOTI215
