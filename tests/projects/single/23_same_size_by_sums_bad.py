"""Nearly the same size: a slice that is one too long."""
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
    stream = torch.rand(60, WIDTH)
    print(mix(stream[:BATCH]).shape)
    print(mix(stream[BATCH : 2 * BATCH + 1]).shape)
