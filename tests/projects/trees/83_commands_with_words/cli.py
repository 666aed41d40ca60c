"""tools: python cli.py build|check; used by smoke.py with explicit words."""
from __future__ import annotations

import argparse
from collections.abc import Sequence

import torch
from torch import nn


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)

    def forward(self, t):
        return self.l(t)


def build(args: argparse.Namespace) -> int:
    model = Tiny().to(args.device).eval()
    t = torch.zeros(args.rows, 3, device=args.device)
    spec = ({0: torch.export.Dim("rows", max=1024)},) if args.dynamic else None
    torch._inductor.aoti_compile_and_package(torch.export.export(model, (t,), dynamic_shapes=spec), package_path=args.output)
    return 0


def check(args: argparse.Namespace) -> int:
    run = torch._inductor.aoti_load_package(args.package)
    out = run(torch.ones(args.rows, 3))
    print(out.shape)
    return 0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="tiny")
    commands = top.add_subparsers(dest="command", required=True)
    b = commands.add_parser("build")
    b.add_argument("output")
    b.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    b.add_argument("--rows", type=int, default=2)
    b.add_argument("--dynamic", action="store_true")
    b.set_defaults(func=build)
    c = commands.add_parser("check")
    c.add_argument("package")
    c.add_argument("--rows", type=int, default=2)
    c.set_defaults(func=check)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return args.func(args)


if __name__ == "__main__":
    raise SystemExit(main())
