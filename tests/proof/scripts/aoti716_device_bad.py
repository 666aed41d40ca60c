"""The functions of torch.cond give tensors on two devices: the export raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: torch.zeros(4, device="meta"), (x,))  # <- AOTI716


torch.export.export(Net(), (torch.randn(4),))
