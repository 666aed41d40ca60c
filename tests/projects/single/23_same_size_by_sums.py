"""The same size, written another way each time."""
import math

import torch
from torch import nn

BATCH, HEADS, HEAD = 6, 4, 3
WIDTH = HEADS * HEAD


class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return self.fc(x)


if __name__ == "__main__":
    mix = torch.export.export(Mix().eval(), (torch.zeros((BATCH, WIDTH)),)).module()
    half = torch.rand(BATCH // 2, 12)
    inputs = [
        torch.rand(*(BATCH, WIDTH)),
        torch.rand(math.prod((2, 3)), HEADS * HEAD),
        torch.cat([half, half]),
        torch.stack([torch.rand(WIDTH) for _ in range(BATCH)]),
        torch.rand(BATCH, HEADS, HEAD).flatten(1),
        torch.rand(WIDTH, BATCH).t(),
        torch.rand(60, WIDTH)[10:16],
        torch.rand(1, WIDTH).expand(BATCH, -1),
        torch.rand(2 * BATCH, WIDTH).chunk(2)[0],
        torch.arange(72.0).view(-1, WIDTH),
        torch.rand(BATCH, WIDTH + 2)[:, 1:-1],
        torch.rand(BATCH, 1, WIDTH).squeeze(1),
    ]
    for x in inputs:
        print(tuple(mix(x).shape))
