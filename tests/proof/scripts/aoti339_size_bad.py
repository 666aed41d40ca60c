"""A model for ONNX has the batch of its example."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"twice": x * 2, "same": x + 0}


model = torch.onnx.export(Net(), (torch.randn(2, 4),), dynamo=True)
print("given", type(model(torch.randn(2, 4))).__name__)
model(torch.randn(5, 4))  # <- AOTI339
