"""In the words of each exporter."""

import io

import torch

file = io.BytesIO()
torch.onnx.export(torch.nn.Linear(4, 2), (torch.randn(2, 4),), file, dynamic_shapes={"input": {0: "batch"}}, verbose=False)
print("wrote", len(file.getvalue()) > 0)
