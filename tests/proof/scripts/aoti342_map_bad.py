"""The function of map gives back what it is given."""

import torch
from torch._higher_order_ops import map as mapped


class Net(torch.nn.Module):
    def forward(self, x):
        return mapped(lambda row: row, x)  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
