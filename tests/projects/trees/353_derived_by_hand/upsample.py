import torch
from torch import nn


class Pixels(nn.Module):
    """Shrinks and grows again; the sizes must be even, and are declared so."""

    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 4, 2, stride=2)
        self.up = nn.PixelShuffle(2)

    def forward(self, image):
        b, _, h, w = image.shape
        out = self.up(self.down(image))
        return out + image.reshape(b, 1, h, w)
