"""Patches of 16 need a height and a width that are multiples of it."""

import torch


class Patches(torch.nn.Module):
    def forward(self, x):
        b, c, h, w = x.shape
        return x.view(b, c, h // 16, 16, w // 16, 16).sum((3, 5))


height = 16 * torch.export.Dim("rows", min=2, max=32)
width = 16 * torch.export.Dim("columns", min=2, max=32)
program = torch.export.export(Patches(), (torch.randn(2, 3, 64, 96),), dynamic_shapes={"x": {2: height, 3: width}})
print(len(program.graph.nodes) > 1, "exported")
