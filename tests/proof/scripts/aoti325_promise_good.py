"""A comparison that nobody asks is a promise, != too."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n = x.item()
        torch._check(n * 2 != 0)
        torch._check(n > 0)
        return torch.ones(n * 2)


print("size", torch.export.export(Net(), (torch.tensor(3),)).module()(torch.tensor(2)).shape)
