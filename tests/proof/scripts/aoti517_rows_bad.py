import torch


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    total = x.sum()
    for row in x.nonzero():  # <- AOTI517
        total = total + row
    return total


step(torch.ones(3))
