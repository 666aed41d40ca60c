"""A `Dim` that took the name of the example."""

import torch
from torch.export import Dim, export


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch * 2


batch = torch.ones(2, 8)
batch = Dim("batch")
export(Net(), (batch,))  # <- AOTI317
