"""A derived dimension would be negative for the smallest size of its root, which is 0 by default."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.relu()


rows = torch.export.Dim("rows")
torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: rows - 1}})  # <- AOTI313
