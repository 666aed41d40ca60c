"""A function of torch.cond gives back a view of its input: the export raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.flatten(), lambda x: x.flatten() * 2, (x,))  # <- AOTI716


torch.export.export(Net(), (torch.randn(3, 4),))
