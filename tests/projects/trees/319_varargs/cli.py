import argparse

import torch
from torch.export import Dim

from fuse import Fuse


def shapes_of(views, nested):
    dim = Dim("rows", min=2)
    each = tuple({0: dim} for _ in views)
    return {"views": each} if nested else each


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--widths", type=int, nargs="+", default=[3, 5])
    args = parser.parse_args(argv)
    views = tuple(torch.randn(4, w) for w in args.widths)
    model = Fuse(args.widths).eval()
    program = torch.export.export(model, views, dynamic_shapes=shapes_of(views, nested=True))
    print(program.module()(*(torch.randn(7, w) for w in args.widths)).shape)
    torch.export.export(model, views, dynamic_shapes=shapes_of(views, nested=False))


if __name__ == "__main__":
    main()
