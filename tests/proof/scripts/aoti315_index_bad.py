"""The third row is taken of an input that may have two."""

import torch


class Third(torch.nn.Module):
    def forward(self, x):
        return x[2] + 1  # <- AOTI315


rows = torch.export.Dim("rows")
torch.export.export(Third(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: rows}})
