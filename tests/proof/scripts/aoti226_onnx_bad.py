"""A model for ONNX gives a tuple where the forward returned a dict."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"twice": x * 2, "same": x + 0}


model = torch.onnx.export(Net(), (torch.randn(2, 4),), dynamo=True)
model(torch.randn(2, 4))["twice"]  # <- AOTI226
