import torch

model = torch.nn.Linear(2, 2).eval()
torch.onnx.export(model, (torch.ones(1, 2),), "net.onnx", opset_version=23, dynamo=False)
