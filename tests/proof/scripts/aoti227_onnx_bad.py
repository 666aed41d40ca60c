"""An export to ONNX is given an open file."""

import os
import tempfile

import torch

with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "linear.onnx"), "wb") as file:
    torch.onnx.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),), file)  # <- AOTI227
