from __future__ import annotations

import functools
import time
from typing import Any, Callable, ParamSpec, TypeVar

import torch
from torch import nn

P, R = ParamSpec("P"), TypeVar("R")


def timed(label: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def outer(fn: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(fn)
        def inner(*args: P.args, **kwargs: P.kwargs) -> R:
            start = time.perf_counter()
            try:
                return fn(*args, **kwargs)
            finally:
                print(label, round(time.perf_counter() - start, 3))

        return inner

    return outer


def moves_inputs(fn):
    """Puts every tensor argument on the device of the object."""

    @functools.wraps(fn)
    def inner(self, *args, **kwargs):
        args = [a.to(self.device) if isinstance(a, torch.Tensor) else a for a in args]
        kwargs = {k: v.to(self.device) if isinstance(v, torch.Tensor) else v for k, v in kwargs.items()}
        return fn(self, *args, **kwargs)

    return inner


class Packaged:
    _instance: "Packaged | None" = None

    def __new__(cls, *args, **kwargs):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(self, path: str, device: str = "cuda") -> None:
        self.device = torch.device(device)
        self._run = torch._inductor.aoti_load_package(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    @timed("forward")
    @moves_inputs
    def __call__(self, *args, **kwargs):
        return self._run(*args, **kwargs)

    def raw(self, *args):
        return self._run(*args)


@timed("build")
def build(path: str, device: str) -> str:
    net = nn.Sequential(nn.Linear(6, 3), nn.Sigmoid()).to(device)
    ep = torch.export.export(net, (torch.rand(4, 6, device=device),), dynamic_shapes=[[torch.export.Dim("n"), None]])
    return torch._inductor.aoti_compile_and_package(ep, package_path=path)


if __name__ == "__main__":
    model = Packaged(build("wrapped.pt2", "cuda"))
    for n in (2, 5, 9):
        print(model(torch.rand(n, 6)).shape)
    print(model.raw(torch.rand(2, 6)).shape)
