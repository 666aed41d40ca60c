from torch import nn


def build(name):
    if name == "flat":
        return nn.Sequential(nn.Flatten(), nn.Linear(16, 3))
    elif name == "deep":
        return nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3))
    raise KeyError(name)
