"""That an export is to be for evaluation, this exporter does not look at."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.Dropout(0.5))
mode = torch.onnx.TrainingMode.EVAL
made = torch.onnx.export(model, (torch.randn(4, 8),), "net.onnx", training=mode, verbose=False)  # <- AOTI701
print([node.op_type for node in made.model.graph if node.op_type == "Dropout"], model.training)
