import copy

import torch


@torch.compile(fullgraph=True, backend="eager")
def doubled(x):
    return x.clone().mul_(2) + x


@torch.compile(backend="eager")
def broken_in_two(x):
    return copy.copy(x) * 2


print("sums", float(doubled(torch.ones(3)).sum()), float(broken_in_two(torch.ones(3)).sum()))
