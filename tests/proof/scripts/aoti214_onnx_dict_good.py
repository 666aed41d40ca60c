"""By name."""

import io

import torch

torch.onnx.export(torch.nn.Linear(4, 2), (), io.BytesIO(), kwargs={"input": torch.randn(2, 4)}, verbose=False)
print("exported")
