import torch
from torch import nn


class BiasMixin:
    def with_ones(self, x):
        return torch.cat([x, torch.ones(x.shape[0], 1)], dim=1)


class Head(BiasMixin, nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features + 1, classes))

    def forward(self, x):
        return self.with_ones(x) @ self.weight


class QuietHead(Head):
    def with_ones(self, x):
        return torch.cat([x, x.new_ones(x.shape[0], 1)], dim=1)
