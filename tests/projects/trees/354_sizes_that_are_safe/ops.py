import torch
from torch import nn


class Careful(nn.Module):
    """Uses sizes in the ways that keep them open."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.randn(width, width))
        self.table = nn.Parameter(torch.randn(4096, width))

    def forward(self, tokens):
        b, n, width = tokens.shape
        assert width == self.width
        if tokens.dim() != 3:
            raise ValueError("three dimensions")
        positions = self.table[:n].unsqueeze(0)
        mixed = torch.cat([tokens[:, 1:], tokens[:, :1]], 1) + positions
        scale = 1.0 / (n + 1)
        flat = mixed.view(b * n, width) @ self.weight
        return flat.view(b, n, -1) * scale
