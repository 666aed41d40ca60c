import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


from torch import Tensor
from torch.library import Library, custom_op, register_fake


@custom_op("lab::sine", mutates_args=())
def sine(x: Tensor) -> Tensor:
    return x.sin()


@sine.register_fake
def _(x):
    return torch.empty_like(x)


def cosine_impl(x: Tensor) -> Tensor:
    return x.cos()


cosine = custom_op("lab::cosine", cosine_impl, mutates_args=())
cosine.register_fake(lambda x: torch.empty_like(x))
SPACE = "lab"
lib = Library(SPACE + "2", "DEF")
for name in ("first", "second"):
    lib.define(f"{name}(Tensor x) -> Tensor")
    lib.impl(name, lambda x: x.tan(), "CPU")
    register_fake(f"lab2::{name}", lib=lib)(torch.empty_like)


@custom_op("lab::add_one", mutates_args={"x"})
def add_one(x: Tensor) -> None:
    x.add_(1)


class Ops(torch.nn.Module):
    def forward(self, x):
        y = sine(x) + cosine(x)
        return torch.ops.lab2.first(y) + torch.ops.lab2.second(y)


ep = torch.export.export(Ops(), (torch.randn(3, 2),))
ep.module()(torch.randn(3, 2))
