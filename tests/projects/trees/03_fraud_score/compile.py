import argparse
import os

import torch
from torch import nn


def parse(argv=None):
    parser = argparse.ArgumentParser(description="compile the fraud scorer")
    parser.add_argument("-o", "--output", default="./fraud.so")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--features", type=int, default=12)
    return parser.parse_args(argv)


class Scorer(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.out = nn.Linear(features, 1)

    def forward(self, rows):
        return torch.sigmoid(self.out(self.norm(rows)))


def main():
    args = parse()
    model = Scorer(args.features).eval().to(args.device)
    rows = torch.rand(32, args.features, device=args.device)
    so = torch._export.aot_compile(
        model,
        (rows,),
        dynamic_shapes=({0: torch.export.Dim("rows", max=4096)},),
        options={"aot_inductor.output_path": os.path.abspath(args.output)},
    )
    print("library:", so)


if __name__ == "__main__":
    main()
