import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def identity(model, **kwargs):
    return model


compile_fn = identity if "--eager" in sys.argv else torch.compile
model = compile_fn(Net().eval(), mode="max-autotune-no-cudagraphs")
with torch.no_grad():
    print(model(torch.randn(2, 8)).shape)
