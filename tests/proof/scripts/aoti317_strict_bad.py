"""A plain class, with `strict=True`."""

import torch


class Batch:
    def __init__(self, x):
        self.x = x


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch.x + 1


torch.export.export(Net(), (Batch(torch.randn(6, 8)),), strict=True)  # <- AOTI317
