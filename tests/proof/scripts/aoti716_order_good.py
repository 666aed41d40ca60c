"""The functions of torch.cond give tensors that lie in memory in one order."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin().t().contiguous(), lambda x: x.cos(), (x,))


program = torch.export.export(Net(), (torch.randn(4, 4),))
print("shape", program.module()(torch.ones(4, 4)).shape)
