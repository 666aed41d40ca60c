"""view() with the number of rows of the example."""

import torch


class Split(torch.nn.Module):
    def forward(self, x):
        return x.view(6, -1, 4).sum(-1)  # <- AOTI323


batch = torch.export.Dim("batch")
torch.export.export(Split(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
