"""Half precision and the GPU go together."""
import argparse

import torch
from torch import nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--gpu", action="store_true")
    p.add_argument("--wide", action="store_true")
    return p.parse_args()


def main():
    args = parse()
    width = 64 if args.wide else 16
    model = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2)).eval()
    x = torch.randn(4, width)
    if args.gpu:
        model.cuda()
        x = x.cuda()
    ep = torch.export.export(model, (x,), dynamic_shapes=({0: torch.export.Dim("n")},))
    suffix = "gpu" if args.gpu else "cpu"
    path = torch._inductor.aoti_compile_and_package(ep, package_path=f"corr-{suffix}-{width}.pt2")
    run = torch._inductor.aoti_load_package(path)
    probe = torch.randn(9, 64 if args.wide else 16)
    probe = probe.to("cuda" if args.gpu else "cpu")
    print(run(probe).shape)
    for rows in (2, 3):
        again = torch.randn(rows, width, device=x.device)
        print(run(again if rows > 2 else again.clone()).shape)


if __name__ == "__main__":
    main()
