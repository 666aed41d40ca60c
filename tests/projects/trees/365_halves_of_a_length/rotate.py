import torch
from torch import nn


class Rotate(nn.Module):
    """The second half of a sequence first."""

    def __init__(self, width, pieces=2):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.pieces = pieces

    def forward(self, tokens):
        half = tokens.shape[1] // self.pieces
        return self.norm(torch.cat([tokens[:, half:], tokens[:, :half]], 1))
