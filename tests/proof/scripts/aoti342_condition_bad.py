"""The condition of torch.cond has many elements."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x > 0, lambda x: x + 1, lambda x: x - 1, (x,))  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
