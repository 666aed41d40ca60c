import torch
from torch import nn

__all__ = ["SnowDepth", "BATCH"]

BATCH = 2**3


class _Scaled(nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor
        self.core = nn.Linear(9, 9)

    def forward(self, cells):
        return self.core(cells) * self.factor


class SnowDepth(_Scaled):
    def forward(self, cells):
        return torch.clamp(super().forward(cells), min=0.0)
