"""tracker compile | tracker run"""
from __future__ import annotations

import argparse
from pathlib import Path

import torch

from tracker.model import Kalman

HERE = Path.cwd()
STATE = 4


def cmd_compile(args: argparse.Namespace) -> int:
    device = torch.device(args.device)
    model = Kalman(STATE).to(device).eval()
    example = torch.randn(8, STATE, device=device), torch.randn(8, STATE, device=device)
    objects = torch.export.Dim("objects", min=1, max=1024)
    torch._export.aot_compile(
        model,
        example,
        dynamic_shapes=({0: objects}, {0: objects}),
        options={"aot_inductor.output_path": str(HERE / "kalman.so")},
    )
    return 0


def cmd_run(args: argparse.Namespace) -> int:
    step = torch._export.aot_load(str(HERE / "kalman.so"), device=args.device)
    state = torch.zeros(args.objects, STATE, device=args.device)
    for _ in range(args.steps):
        state = step(state, torch.randn_like(state))
    print(state.mean().item())
    return 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("tracker")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    build = commands.add_parser("compile", help="build the library")
    build.add_argument("--device", default="cpu")
    build.set_defaults(func=cmd_compile)

    run = commands.add_parser("run", help="track")
    run.add_argument("--device", default="cuda:0")
    run.add_argument("--objects", type=int, default=30)
    run.add_argument("--steps", type=int, default=5)
    run.set_defaults(func=cmd_run)

    args = parser.parse_args(argv)
    return args.func(args)
