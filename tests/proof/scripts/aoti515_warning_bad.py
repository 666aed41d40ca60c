import warnings

import torch


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    warnings.warn("step")  # <- AOTI515
    return x * 2


step(torch.ones(3))
