"""A model for ONNX with a batch that is a Dim."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"twice": x * 2, "same": x + 0}


model = torch.onnx.export(Net(), (torch.randn(2, 4),), dynamo=True, dynamic_shapes={"x": {0: "batch"}})
twice, same = model(torch.randn(5, 4))
print("shape", tuple(twice.shape))
