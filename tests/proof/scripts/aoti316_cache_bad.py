import functools

import torch


@functools.lru_cache
def positions(n):
    return torch.arange(n) * 0.5


class Net(torch.nn.Module):
    def forward(self, x):
        return x + positions(x.shape[1])  # <- AOTI316


length = torch.export.Dim("length")
torch.export.export(Net(), (torch.randn(2, 4),), dynamic_shapes=({1: length},), strict=True)
torch.export.export(Net(), (torch.randn(2, 4),), dynamic_shapes=({1: length},))
