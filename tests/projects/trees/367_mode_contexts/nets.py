from torch import nn


def regressor(width=8, p=0.25):
    return nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Dropout(p), nn.Linear(width, 1))
