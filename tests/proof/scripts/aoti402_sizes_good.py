import math

import torch


@torch.library.custom_op("proof::by_size", mutates_args=())
def by_size(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_size.register_fake
def _(x):
    return x.new_empty((x.shape[0], x.shape[1]))


@torch.library.custom_op("proof::by_max", mutates_args=())
def by_max(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_max.register_fake
def _(x):
    return x.new_empty((max(x.shape[0], 2), x.shape[1]))


@torch.library.custom_op("proof::by_ceil", mutates_args=())
def by_ceil(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_ceil.register_fake
def _(x):
    return x.new_empty((math.ceil(2 * x.shape[0] / 2), x.shape[1]))


@torch.library.custom_op("proof::by_text", mutates_args=())
def by_text(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_text.register_fake
def _(x):
    torch._check(x.shape[0] > 1, lambda: f"{x.shape[0]} rows, of %s" % x.shape[1])
    return x.new_empty(list(x.shape))


class Model(torch.nn.Module):
    def __init__(self, op):
        super().__init__()
        self.op = op

    def forward(self, x):
        return self.op(x) + 1


for op in (by_size, by_max, by_ceil, by_text):
    shapes = {"x": {0: torch.export.Dim.AUTO}}
    program = torch.export.export(Model(op), (torch.randn(4, 8),), dynamic_shapes=shapes)
    print("open" if program.range_constraints else "static", op)
