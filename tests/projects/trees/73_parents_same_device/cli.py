"""One parent parser gives both subcommands the same --device."""
import argparse
import os
import sys

import torch

from net import build


def cmd_build(args):
    model = build(args.arch).to(args.device).eval()
    example = torch.zeros(4, 4, 4).to(args.device)
    path = torch._export.aot_compile(
        model, (example,), options={"aot_inductor.output_path": os.path.abspath(args.lib)}
    )
    print(path)


def cmd_run(args):
    run = torch._export.aot_load(os.path.abspath(args.lib), args.device)
    print(run(torch.zeros(4, 4, 4, device=args.device)).shape)


def parser():
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--device", default=os.environ.get("KIT_DEVICE", "cpu"))
    common.add_argument("--lib", default="kit.so")
    top = argparse.ArgumentParser()
    commands = top.add_subparsers(required=True)
    first = commands.add_parser("build", parents=[common])
    first.add_argument("--arch", default="flat", choices=["flat", "deep"])
    first.set_defaults(func=cmd_build)
    commands.add_parser("run", parents=[common]).set_defaults(func=cmd_run)
    return top


if __name__ == "__main__":
    given = sys.argv[1:]
    for command in [given] if given else [["build"], ["run"]]:
        args = parser().parse_args(command)
        args.func(args)
