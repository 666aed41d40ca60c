import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


class Trainer:
    def __init__(self, net):
        self.net = torch.compile(net)

    def export(self, example):
        return torch.export.export(self.net, (example,))


net = Net().eval()
print(Trainer(net).export(torch.randn(2, 8)).graph_signature.parameters[0])
