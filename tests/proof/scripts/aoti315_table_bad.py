"""A table of 32 positions is cut to the length of an input that may be of any length."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = torch.nn.Parameter(torch.zeros(32, 8))

    def forward(self, x):
        return x + self.positions[: x.shape[1]]  # <- AOTI315


length = torch.export.Dim("length")
torch.export.export(Net(), (torch.randn(2, 6, 8),), dynamic_shapes={"x": {1: length}})
