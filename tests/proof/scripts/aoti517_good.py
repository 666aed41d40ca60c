import torch


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    assert x.sum() > 0, "nothing there"
    smallest = x.abs().min().item()
    return torch.where(x.isnan().any(), torch.zeros_like(x), x * smallest)


@torch.compile(backend="eager")
def broken_in_two(x):
    if x.isnan().any():
        return torch.zeros_like(x)
    return x * 2


print("sums", step(torch.ones(3)).sum().item(), broken_in_two(torch.ones(3)).sum().item())
