from pathlib import Path

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


ARTIFACTS = Path("artifacts")


def ship(model, example, name):
    ARTIFACTS.mkdir(exist_ok=True)
    target = ARTIFACTS / f"{name}.pt2"
    program = torch.export.export(model, example)
    torch._inductor.aoti_compile_and_package(program, package_path=target)
    return target


print(ship(Net().eval(), (torch.randn(2, 8),), "net"))
