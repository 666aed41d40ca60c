import torch
from torch import nn


class DropPath(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        return nn.functional.dropout(x, self.p, training=True)


class MonteCarlo(nn.Module):
    """Dropout at prediction on purpose."""

    def __init__(self, inner, p=0.1):
        super().__init__()
        self.inner, self.p = inner, p

    def forward(self, x):
        return nn.functional.dropout(self.inner(x), self.p, training=True)
