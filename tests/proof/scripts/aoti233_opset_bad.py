import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
made = torch.onnx.export(model, (torch.randn(2, 8),), "net.onnx", opset_version=11, dynamo=True)  # <- AOTI233
print("opset", made.model.opset_imports[""])
