import torch
from torch._higher_order_ops import map as mapped


class Net(torch.nn.Module):
    def forward(self, x):
        return mapped(lambda row: row + x.sum(), x)  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
