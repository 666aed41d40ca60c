"""The example inputs of an export to ONNX are a list."""

import io

import torch

torch.onnx.export(torch.nn.Linear(10, 2).eval(), [torch.randn(8, 10)], io.BytesIO())  # <- AOTI214
