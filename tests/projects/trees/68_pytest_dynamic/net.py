import torch
from torch import nn


class Parity(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(5, 5)

    def forward(self, bits):
        return self.l(bits).cumprod(-1)


def dims(**names):
    return {key: {0: torch.export.Dim(value)} for key, value in names.items()}
