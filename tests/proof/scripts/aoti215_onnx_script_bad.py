"""A scripted model is exported to ONNX as torch does since 2.9."""

import io

import torch

model = torch.jit.script(torch.nn.Linear(10, 2).eval())
torch.onnx.export(model, (torch.randn(8, 10),), io.BytesIO())  # <- AOTI215
