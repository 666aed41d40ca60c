import argparse
from pathlib import Path

import torch
from torch import nn


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--name", default="small")
    p.add_argument("--width", type=int, default=8)
    p.add_argument("--out-dir", type=Path, default=Path("out"))
    a = p.parse_args(argv)
    a.out_dir.mkdir(exist_ok=True, parents=True)
    net = nn.Linear(a.width, 1).eval()
    ep = torch.export.export(net, (torch.randn(2, a.width),), dynamic_shapes=({0: torch.export.Dim("n")},))
    torch._inductor.aoti_compile_and_package(ep, package_path=str(a.out_dir / f"{a.name}.pt2"))


if __name__ == "__main__":
    main()
