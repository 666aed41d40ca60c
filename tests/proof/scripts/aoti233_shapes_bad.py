"""The exporter by TorchScript takes dynamic_axes only."""

import io

import torch

shapes = {"input": {0: "batch"}}
args = (torch.nn.Linear(4, 2), (torch.randn(2, 4),), io.BytesIO())
torch.onnx.export(*args, dynamo=False, dynamic_shapes=shapes)  # <- AOTI233
