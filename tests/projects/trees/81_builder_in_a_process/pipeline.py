"""Build in a child process, then serve in a thread pool."""
from __future__ import annotations

import concurrent.futures as cf
import pathlib
import subprocess
import sys
from typing import Sequence

import torch

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "build" / "gate.pt2"
WIDTH = 10


def ensure_built() -> None:
    if PACKAGE.exists():
        return
    subprocess.run([sys.executable, str(HERE / "build_gate.py"), "--out", str(PACKAGE)], check=True)


class Pool:
    def __init__(self, workers: int = 2) -> None:
        ensure_built()
        self._models = [torch._inductor.aoti_load_package(str(PACKAGE)) for _ in range(workers)]
        self._executor = cf.ThreadPoolExecutor(max_workers=workers)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._executor.shutdown()

    def map(self, batches: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        futures = [
            self._executor.submit(self._models[i % len(self._models)], batch) for i, batch in enumerate(batches)
        ]
        return [f.result() for f in futures]


def main() -> None:
    with Pool() as pool:
        outs = pool.map([torch.rand(4, WIDTH), torch.rand(6, WIDTH)])
    print([tuple(o.shape) for o in outs])


if __name__ == "__main__":
    main()
