import math

import torch
from torch import nn


class GridMerge(nn.Module):
    """Merges 2 x 2 patches of a square grid that comes as a sequence."""

    def __init__(self, width):
        super().__init__()
        self.merge = nn.Linear(4 * width, width)

    def forward(self, x):
        b, n, c = x.shape
        side = int(math.sqrt(n))
        x = x.view(b, side // 2, 2, side // 2, 2, c).permute(0, 1, 3, 2, 4, 5)
        return self.merge(x.reshape(b, -1, 4 * c))


class GridMergeOf(GridMerge):
    def __init__(self, width, side):
        super().__init__(width)
        self.side = side

    def forward(self, x):
        b, _, c = x.shape
        x = x.view(b, self.side // 2, 2, self.side // 2, 2, c).permute(0, 1, 3, 2, 4, 5)
        return self.merge(x.reshape(b, -1, 4 * c))
