import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def prepare():
    return Net().eval()


print(torch.export.export(prepare(), (torch.randn(2, 8),)).graph_signature.user_inputs)
