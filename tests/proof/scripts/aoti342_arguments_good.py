"""Both functions of torch.cond take the operand, and those of another none, where there is none."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: x + 1, lambda _: torch.zeros(4, 4), (x,))
        return torch.cond(y.sum() > 0, lambda: y + 1, lambda: y - 1)


print("shape", torch.export.export(Net(), (torch.randn(4, 4),)).module()(torch.randn(4, 4)).shape)
