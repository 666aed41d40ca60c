import torch

weight = torch.nn.Parameter(torch.ones(3))


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    return torch.autograd.grad((weight * x).sum(), [weight])  # <- AOTI515


step(torch.ones(3))
