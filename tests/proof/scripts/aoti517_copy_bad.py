import copy

import torch


@torch.compile(fullgraph=True, backend="eager")
def doubled(x):
    kept = copy.copy(x)  # <- AOTI517
    return kept.mul_(2) + x


doubled(torch.ones(3))
