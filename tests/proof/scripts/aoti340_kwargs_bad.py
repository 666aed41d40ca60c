"""What `**kwargs` collects, and dynamic_shapes: torch 2.8 to 2.13 raise."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, **kwargs):
        return x * kwargs["scale"]


rows = torch.export.Dim("rows")
shapes = {"x": {0: rows}, "kwargs": {"scale": None}}
inputs = (torch.randn(4, 8),), {"scale": torch.randn(8)}
program = torch.export.export(Net(), *inputs, dynamic_shapes=shapes)  # <- AOTI340
print("shape", program.module()(torch.randn(6, 8), scale=torch.randn(8)).shape)
