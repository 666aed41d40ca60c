import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.mix = nn.Linear(2 * width, width)
        self.last = torch.zeros(1, width)
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        out = self.mix(torch.cat([x, self.last.expand_as(x)], -1))
        self.last = out[-1:].detach()
        self.steps += 1
        return out
