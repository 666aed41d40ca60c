import torch
from torch import nn


class Tracker(nn.Module):
    """Exponential mean of what passes; keeps eight channels."""

    def __init__(self, channels=8):
        super().__init__()
        self.register_buffer("mean", torch.zeros(channels))

    def forward(self, x):
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x - self.mean
