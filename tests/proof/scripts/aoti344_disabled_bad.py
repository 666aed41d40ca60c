"""A function that is kept out of tracing stands in the way of strict=True, which traces the code itself."""

import torch


@torch.compiler.disable
def record(x):
    return x.detach()


class Net(torch.nn.Module):
    def forward(self, x):
        return record(x * 2)  # <- AOTI344


torch.export.export(Net(), (torch.randn(4),), strict=True)
