"""Without strict=True the function just runs."""

import torch


@torch.compiler.disable
def record(x):
    return x.detach()


class Net(torch.nn.Module):
    def forward(self, x):
        return record(x * 2)


print("gives", torch.export.export(Net(), (torch.ones(4),)).module()(torch.ones(4)).sum())
