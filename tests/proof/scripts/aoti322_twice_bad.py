"""One Dim is always twice another."""

import torch


class Pairs(torch.nn.Module):
    def forward(self, x, y):
        return x.repeat(2, 1) + y  # <- AOTI322


spec = {"x": {0: torch.export.Dim("a")}, "y": {0: torch.export.Dim("b")}}
torch.export.export(Pairs(), (torch.randn(6, 8), torch.randn(12, 8)), dynamic_shapes=spec)
