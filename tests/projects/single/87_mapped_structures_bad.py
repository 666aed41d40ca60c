"""Moving nested batches: tree_map, singledispatch."""
from __future__ import annotations

import functools
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree


@functools.singledispatch
def to_device(obj: Any, device: torch.device) -> Any:
    return obj


@to_device.register
def _(obj: torch.Tensor, device):
    return obj.to(device, non_blocking=True)


@to_device.register(dict)
def _(obj, device):
    return {k: to_device(v, device) for k, v in obj.items()}


@to_device.register(list)
@to_device.register(tuple)
def _(obj, device):
    return type(obj)(to_device(v, device) for v in obj)


class Merge(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, batch, bias):
        left, right = batch["pair"]
        return self.lin(left * right) + bias


def batch(n: int) -> tuple[dict[str, Any], torch.Tensor]:
    return {"pair": [torch.randn(n, 4), torch.randn(n, 4)]}, torch.zeros(4)


def main() -> None:
    gpu = torch.device("cuda")
    model = Merge().to(gpu)
    args = pytree.tree_map(lambda t: t.to(gpu), batch(2))
    n = torch.export.Dim("n")
    ep = torch.export.export(model, args, dynamic_shapes=({"pair": [{0: n}, {0: n}]}, None))
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    print(run(*to_device(batch(5), gpu)))
    print(run(*pytree.tree_map_only(torch.Tensor, lambda t: t.cuda(), batch(6))))
    inputs, bias = batch(7)
    print(run(inputs, bias.to(gpu)))


if __name__ == "__main__":
    main()
