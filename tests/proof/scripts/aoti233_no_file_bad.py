import torch

torch.onnx.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),), dynamo=False)  # <- AOTI233
