"""A number among the operands of torch.cond."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x, n: x + n, lambda x, n: x - n, (x, 0.5))  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
