"""The number of rows is made a number, with a named Dim."""

import torch


class Mean(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / int(x.shape[0])  # <- AOTI320


batch = torch.export.Dim("batch")
torch.export.export(Mean(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
