"""Benchmark: warm-up batch fixed, timed batches from the sweep's default."""
import argparse
import time

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.softmax(-1)


def bench(run, batches, width):
    for n in batches:
        x = torch.randn(n, width)
        t = time.perf_counter()
        run(x)
        yield n, time.perf_counter() - t


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--batches", type=int, nargs="+", default=[8, 16, 32])
    p.add_argument("--width", type=int, default=128)
    a = p.parse_args(argv)
    x = torch.randn(a.batches[0], a.width)
    ep = torch.export.export(Net(), (x,))
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    for n, s in bench(run, a.batches, a.width):
        print(n, f"{s:.6f}")


if __name__ == "__main__":
    main()
