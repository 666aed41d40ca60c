import sys

import torch


class Plain(torch.nn.Module):
    def forward(self, x):
        return x * 2


class Careful(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 1:  # <- AOTI325
            return x
        return x + 2


def make(plain):
    return Plain() if plain else Careful()


torch.export.export(make("--plain" in sys.argv).eval(), (torch.randn(4),))
