import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


x = torch.randn(2, 8)
program = torch.export.export(Net().eval(), (x,)).run_decompositions()
torch.export.save(program, "net.pt2")
program = torch.export.load("net.pt2")
print(program(x).shape)
