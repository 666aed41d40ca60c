import sys

import torch
from torch import nn

from specs import SPECS, dims


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 3)

    def forward(self, tokens):
        return self.linear(tokens)


def export(name):
    features = SPECS[name]["features"]
    return torch.export.export(Model(features).eval(), (torch.randn(4, features),), dynamic_shapes=dims(name))


if __name__ == "__main__":
    for name in sys.argv[1:] or SPECS:
        print(name, export(name).module()(torch.randn(9, 12)).shape)
