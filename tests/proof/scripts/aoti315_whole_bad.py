"""A slice of columns that leaves all that the example has: another case than one that leaves a part."""

import torch


class First(torch.nn.Module):
    def forward(self, x):
        return x[:, :4] * 2  # <- AOTI315


columns = torch.export.Dim("columns")
torch.export.export(First(), (torch.randn(6, 4),), dynamic_shapes={"x": {1: columns}})
