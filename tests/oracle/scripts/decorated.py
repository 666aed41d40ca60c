import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import contextlib
import functools


def doubled(function):
    @functools.wraps(function)
    def inner(size, *rest, **options):
        return function(size * 2, *rest, **options)

    return inner


def on(device):
    def wrap(function):
        def inner(*args):
            return function(*args).to(device)

        return inner

    return wrap


@doubled
def example(size, width=4):
    return torch.randn(size, width)


@on("meta")
@doubled
def ghost(size):
    return torch.randn(size, 4)


@functools.lru_cache
def cached(size):
    return torch.randn(size, 4)


@contextlib.contextmanager
def on_device(device):
    torch.set_default_device(device)
    try:
        yield torch.device(device)
    finally:
        torch.set_default_device(None)


@torch.no_grad()
def program():
    return torch.export.export(M().eval(), (example(3),))


program()
torch.export.export(M().to("meta"), (ghost(4),))
torch.export.export(M(), (cached(5),))
with on_device("meta") as device:
    torch.export.export(M(), (torch.randn(7, 4),))
torch.export.export(M(), (torch.randn(8, 4),))
