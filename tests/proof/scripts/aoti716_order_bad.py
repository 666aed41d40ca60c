"""The functions of torch.cond give tensors that lie in memory in two orders: the export raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin().t(), lambda x: x.cos(), (x,))  # <- AOTI716


with torch.no_grad():
    torch.export.export(Net(), (torch.randn(4, 4),))
