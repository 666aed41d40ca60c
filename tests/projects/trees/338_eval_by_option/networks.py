import torch
from torch import nn


class ConvBlock(nn.Sequential):
    def __init__(self, cin, cout, p):
        super().__init__(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(), nn.Dropout2d(p))


class Net(nn.Module):
    def __init__(self, widths=(3, 8, 8), p=0.1):
        super().__init__()
        self.blocks = nn.Sequential(*(ConvBlock(a, b, p) for a, b in zip(widths, widths[1:])))
        self.head = nn.Linear(widths[-1], 2)

    def forward(self, x):
        return self.head(self.blocks(x).mean((2, 3)))


def create_model(name, *, training=True, **kwargs):
    model = {"net": Net, "wide": lambda **kw: Net((3, 16, 16), **kw)}[name](**kwargs)
    return model.train(training)
