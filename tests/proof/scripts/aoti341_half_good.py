"""Twice a dimension."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.relu()


half = torch.export.Dim("half", max=32)
program = torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: 2 * half}})
print("shape", program.module()(torch.randn(6, 8)).shape)
