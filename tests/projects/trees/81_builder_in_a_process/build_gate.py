import argparse
import pathlib

import torch
from torch import nn


def parse() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("--rows", type=int, default=4)
    return p.parse_args()


class Gate(nn.Module):
    def __init__(self, width: int = 10):
        super().__init__()
        self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        return self.a(x) * torch.sigmoid(self.b(x))


if __name__ == "__main__":
    args = parse()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    program = torch.export.export(Gate().eval(), (torch.rand(args.rows, 10),))
    torch._inductor.aoti_compile_and_package(program, package_path=str(args.out))
