"""Fine-tune a head, then ship it; NaN hunting is switched on by a small settings object."""
import os
from dataclasses import dataclass

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


@dataclass
class Debug:
    nan_asserts: bool = True
    printer: int = 0

    def apply(self):
        if self.nan_asserts:
            os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"


def fit(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        loss = model(torch.randn(4, 8)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    debug = Debug()
    model = Net()
    fit(model)
    debug.apply()
    program = torch.export.export(model.eval(), (torch.randn(4, 8),))
    torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
    print("nan_asserts", torch._inductor.config.nan_asserts)


if __name__ == "__main__":
    main()
