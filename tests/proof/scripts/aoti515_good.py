import torch


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    if not torch.compiler.is_compiling():
        print("never")
    return x * 2


@torch.compile(backend="eager")
def talking(x):
    print("talking")
    return x * 2


print("sums", step(torch.ones(3)).sum().item(), talking(torch.ones(3)).sum().item())
