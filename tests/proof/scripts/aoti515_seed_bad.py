import torch


@torch.compile(fullgraph=True, backend="eager")
def noisy(x):
    torch.manual_seed(0)  # <- AOTI515
    return x + torch.rand(3)


noisy(torch.ones(3))
