"""What a layer gives has no gaps, so that of a part of it tracing asks whether it is the whole."""

import torch


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.linear(x)[:, :2]  # <- AOTI315


rows, steps = torch.export.Dim("rows"), torch.export.Dim("steps")
torch.export.export(Head(), (torch.randn(3, 6, 8),), dynamic_shapes={"x": {0: rows, 1: steps}})
