"""Pairs of rows need an even number of them."""

import torch


class Pairs(torch.nn.Module):
    def forward(self, x):
        return x.view(2, -1, 8).sum(0)  # <- AOTI323


batch = torch.export.Dim("batch")
torch.export.export(Pairs(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
