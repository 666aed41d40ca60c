import argparse
import os

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true", default=True)
    parser.add_argument("--out", default="net.pt2")
    return parser.parse_args()


def main():
    args = parse()
    if args.verbose:
        os.environ["TORCH_LOGS"] = "+inductor"
    program = torch.export.export(Net().eval(), (torch.randn(2, 8),))
    torch._inductor.aoti_compile_and_package(program, package_path=args.out)


if __name__ == "__main__":
    main()
