import argparse
import sys

import torch


def main() -> int:
    parser = argparse.ArgumentParser(description="score one file of transactions")
    parser.add_argument("--library", default="./fraud.so", help="what compile.py wrote")
    parser.add_argument("--device", default="cuda", help="where to run")
    parser.add_argument("--rows", type=int, default=100)
    opts = parser.parse_args()

    score = torch._export.aot_load(opts.library, opts.device)
    rows = torch.rand(opts.rows, 12).to(opts.device)
    risky = (score(rows) > 0.9).sum().item()
    print(f"{risky} of {opts.rows} need a look")
    return 0


if __name__ == "__main__":
    sys.exit(main())
