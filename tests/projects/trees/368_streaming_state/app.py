import argparse

import torch

from streaming import WithAttribute, WithBuffer

KINDS = dict(buffer=WithBuffer, attribute=WithAttribute)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunk", type=int, default=16)
    args = parser.parse_args(argv)
    chunks = torch.randn(3, 1, 4, args.chunk)
    for kind, cls in KINDS.items():
        layer = cls(4, 3).eval()
        module = torch.export.export(layer, (chunks[0],)).module()
        print(kind, [module(chunk).sum().item() for chunk in chunks])


if __name__ == "__main__":
    main()
