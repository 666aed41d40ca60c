"""Two Dims whose sizes are added."""

import torch


class Add(torch.nn.Module):
    def forward(self, x, y):
        return x.relu() + y  # <- AOTI322


spec = {"x": {0: torch.export.Dim("a")}, "y": {0: torch.export.Dim("b")}}
torch.export.export(Add(), (torch.randn(6, 8), torch.randn(6, 8)), dynamic_shapes=spec)
