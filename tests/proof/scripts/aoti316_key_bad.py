"""A dict is asked for a size that is a symbol."""

import torch

SCALES = {6: 1.0, 12: 2.0}


class Net(torch.nn.Module):
    def forward(self, x):
        return x * SCALES[x.shape[0]]  # <- AOTI316


torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
