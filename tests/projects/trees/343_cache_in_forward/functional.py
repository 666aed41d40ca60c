from torch import nn


class Stateless(nn.Module):
    """The same with its state as an input and an output."""

    def __init__(self, memory):
        super().__init__()
        self.mix = memory.mix

    def forward(self, x, last):
        import torch

        out = self.mix(torch.cat([x, last.expand_as(x)], -1))
        return out, out[-1:]
