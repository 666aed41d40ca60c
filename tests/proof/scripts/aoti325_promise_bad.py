"""`not` asks for the value before torch._check sees it."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n = x.item()
        torch._check(not (n * 2 == 0))  # <- AOTI325
        return torch.ones(n * 2)


torch.export.export(Net(), (torch.tensor(3),))
