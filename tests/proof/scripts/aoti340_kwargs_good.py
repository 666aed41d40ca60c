"""The same input as a parameter of its own."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale


rows = torch.export.Dim("rows")
shapes = {"x": {0: rows}, "scale": None}
inputs = (torch.randn(4, 8),), {"scale": torch.randn(8)}
program = torch.export.export(Net(), *inputs, dynamic_shapes=shapes)
print("shape", program.module()(torch.randn(6, 8), scale=torch.randn(8)).shape)
