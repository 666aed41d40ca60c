import argparse
import os
import pathlib
import typing

import torch


class Args(typing.NamedTuple):
    dynamic: bool
    sizes: list[int]
    cache: pathlib.Path


def parse() -> Args:
    p = argparse.ArgumentParser()
    p.add_argument("--dynamic", action=argparse.BooleanOptionalAction, default=True)
    p.add_argument("--sizes", type=int, nargs="+", default=[8, 16])
    p.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(os.environ.get("CACHE", "/tmp/cache")))
    ns = p.parse_args()
    return Args(**vars(ns))


class Pool(torch.nn.Module):
    def forward(self, x):
        return x.amax(-1) - x.amin(-1)


def main() -> None:
    args = parse()
    first, *_ = args.sizes
    shapes = {"x": {0: torch.export.Dim("n")}} if args.dynamic else None
    ep = torch.export.export(Pool(), (torch.rand(first, 3),), dynamic_shapes=shapes)
    args.cache.mkdir(parents=True, exist_ok=True)
    pkg = torch._inductor.aoti_compile_and_package(ep, package_path=os.fspath(args.cache / "pool.pt2"))
    run = torch._inductor.aoti_load_package(pkg)
    for n in args.sizes:
        print(n, run(torch.rand(n, 3)).sum())


if __name__ == "__main__":
    main()
