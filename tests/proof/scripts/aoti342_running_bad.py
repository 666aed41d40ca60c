"""A running total whose function gives one tensor as what is carried and as the output."""

import torch
from torch._higher_order_ops.scan import scan


class Total(torch.nn.Module):
    def forward(self, x, start):
        def add(total, row):
            total = total + row
            return total, total

        return scan(add, start, x)  # <- AOTI342


torch.export.export(Total(), (torch.randn(5, 4), torch.zeros(4)))
