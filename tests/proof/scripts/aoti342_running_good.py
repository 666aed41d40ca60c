"""A running total whose output has memory of its own."""

import torch
from torch._higher_order_ops.scan import scan


class Total(torch.nn.Module):
    def forward(self, x, start):
        def add(total, row):
            total = total + row
            return total, total.clone()

        return scan(add, start, x)


program = torch.export.export(Total(), (torch.randn(5, 4), torch.zeros(4)))
print("shape", program.module()(torch.ones(5, 4), torch.zeros(4))[1].shape)
