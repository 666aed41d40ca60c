import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, limit, width):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(limit, width))

    def forward(self, x):
        return x + self.table[: x.size(1)]


class RotaryLike(nn.Module):
    def __init__(self, limit, width):
        super().__init__()
        self.width = width

    def forward(self, x):
        steps = torch.arange(x.size(1), device=x.device)
        return x * torch.outer(steps, torch.ones(self.width)).cos()


POSITIONS = {"learned": LearnedPositions, "rotary": RotaryLike}
