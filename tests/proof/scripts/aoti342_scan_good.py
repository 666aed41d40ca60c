"""associative_scan in the mode that works everywhere."""

import torch
from torch._higher_order_ops import associative_scan


class Net(torch.nn.Module):
    def forward(self, x):
        return associative_scan(torch.add, x, 0, combine_mode="generic")


program = torch.export.export(Net(), (torch.randn(4, 4),))
print("shape", program.module()(torch.ones(4, 4)).shape)
