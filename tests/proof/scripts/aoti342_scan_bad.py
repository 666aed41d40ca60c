"""associative_scan in its default mode, on the CPU."""

import torch
from torch._higher_order_ops import associative_scan


class Net(torch.nn.Module):
    def forward(self, x):
        return associative_scan(torch.add, x, 0)  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
