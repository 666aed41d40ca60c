"""A branch on the number of rows, with a range that has both sides."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 16:  # <- AOTI324
            return x + 1
        return x - 1


batch = torch.export.Dim("batch", max=64)
torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
