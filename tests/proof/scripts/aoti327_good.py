"""A multiple of a Dim, a Dim of a narrow range, and Dim.AUTO."""

import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x, y, z):
        left, right = x.chunk(2, 1)
        return left * right.sigmoid(), y[: y.shape[0] // 2], z[: z.shape[0] // 2], y[: min(y.shape[0], 16)]


shapes = {"x": {1: 2 * Dim("half", min=2, max=256)}, "y": {0: Dim("rows", min=32, max=64)}, "z": {0: Dim.AUTO}}
inputs = (torch.randn(3, 10), torch.randn(48), torch.randn(48))
program = torch.export.export(Net(), inputs, dynamic_shapes=shapes)
print(len(program.range_constraints) >= 3, "dynamic")
