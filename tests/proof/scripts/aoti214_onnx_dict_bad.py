"""torch.onnx.export asks for the last of the example inputs, and a dict has no last one."""

import torch

torch.onnx.export(torch.nn.Linear(4, 2), {"input": torch.randn(2, 4)}, "/tmp/none.onnx")  # <- AOTI214
