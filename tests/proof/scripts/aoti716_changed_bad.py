"""A function of torch.cond changes what it is given: the export raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.add_(1).clone(), lambda x: x * 2, (x,))  # <- AOTI716


torch.export.export(Net(), (torch.randn(3, 4),))
