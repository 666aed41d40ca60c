import torch

model = torch.nn.Linear(2, 2).eval()
names = "output"
torch.onnx.export(model, (torch.ones(1, 2),), "net.onnx", output_names=names, dynamo=True)  # <- AOTI345
