import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


DEVICE = "gpu"


def serve(path):
    return torch._export.aot_load(path, DEVICE)


so = torch._export.aot_compile(Net().eval(), (torch.randn(2, 8),))
print(serve(so)(torch.randn(2, 8)).shape)
