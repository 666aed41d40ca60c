import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


example = (torch.randn(2, 8),)
program = torch.export.export(Net().eval(), example)
print(torch._inductor.aot_compile(program.module(), example))
